/**
 * What a queue throws. Nothing was changed by a call that throws one of these.
 * @module
 */

const SQLITE_FULL = 13;

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
   * @param {unknown} [cause]
   */
  constructor(id, message, cause) {
    super(`operation ${id} ${message}`, { cause });
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

  /** Whether there is no room left: of the disk, or of what the browser grants. */
  get isFull() {
    const { name, errcode } = /** @type {any} */ (this.cause) ?? {};
    return name === 'QuotaExceededError' || errcode === SQLITE_FULL;
  }
}
