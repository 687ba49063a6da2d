/**
 * The client of Once: operations that take effect once, retries that are safe, and a durable queue.
 * Start with {@link OnceClient}; for operations that must survive the tab or the process, {@link OfflineQueue}.
 * @module
 */
export { Answer } from './answer.js';
export { BACKGROUND, INTERACTIVE } from './backoff.js';
export { OnceClient } from './client.js';
export { DuplicateOperationError, OperationStateError, StorageError } from './errors.js';
export { Operation } from './operation.js';
export { OfflineQueue } from './queue.js';
export { RULES, decide } from './rules.js';
export { MemoryStorage } from './storage-memory.js';
