import type { QueueStorage, StorageTransaction } from './index.js';

/** A storage in a SQLite file, for Node 22.13 and newer. */
export class SqliteStorage implements QueueStorage {
  /** `maxBytes` is how large the file may grow, 1 GiB if not given. */
  constructor(file: string, options?: { maxBytes?: number });
  open(): Promise<void>;
  close(): Promise<void>;
  transact<T>(work: (transaction: StorageTransaction) => Promise<T>): Promise<T>;
  read<T>(work: (transaction: StorageTransaction) => Promise<T>): Promise<T>;
  lead(signal: AbortSignal, work: (lost?: AbortSignal) => Promise<void>): Promise<void>;
  onChange(listener: (ids: string[]) => void): () => void;
}
