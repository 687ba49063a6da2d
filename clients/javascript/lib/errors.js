/**
 * What a queue throws. Nothing was changed by a call that throws one of these.
 * @module
 */

/** The queue has an operation that does the same under another key. */
export class DuplicateOperationError extends Error {
  /**
   * @param {string} type
   * @param {string} existingId
   */
  constructor(type, existingId) {
    super(`operation ${existingId} of type ${type} does the same: wait for it, or enqueue with allowDuplicate`);
    this.name = 'DuplicateOperationError';
    this.existingId = existingId;
  }
}

/** The operation is not in a state that allows the call. */
export class OperationStateError extends Error {
  /**
   * @param {string} id
   * @param {string} message
   */
  constructor(id, message) {
    super(`operation ${id} ${message}`);
    this.name = 'OperationStateError';
    this.id = id;
  }
}

/** The storage cannot be read or written; an operation that was stored before is still there. */
export class StorageError extends Error {
  /**
   * @param {string} message
   * @param {unknown} [cause]
   */
  constructor(message, cause) {
    super(message, { cause });
    this.name = 'StorageError';
  }
}
