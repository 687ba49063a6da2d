/**
 * A storage whose changes are told to listeners, and to callers that wait for a result.
 * @module
 */
import { OperationStateError } from './errors.js';
import { CONTRACT, CREDENTIALS, PARKED, isFinished, isOpen, readable, shown } from './row.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StorageTransaction} StorageTransaction
 * @typedef {import('./index.js').QueueEvent} QueueEvent
 */

/** So many rows are remembered as told. */
const MAX_ANNOUNCED = 20_000;

/** Runs the transactions of one queue. */
export class WatchedStorage {
  #storage;
  #wake;
  /** @type {Set<(event: QueueEvent) => void>} */
  #listeners = new Set();
  /** @type {Map<string, Set<(row: StoredRow | undefined) => void>>} */
  #waiters = new Map();
  /** The version of each row that was told last: another tab may tell of the same one.
   * @type {Map<string, number>} */
  #announced = new Map();
  #isClosed = false;
  /** @type {() => void} */
  #stopListening = () => {};

  /**
   * @param {import('./index.js').QueueStorage} storage
   * @param {() => void} wake called when there may be something to send
   */
  constructor(storage, wake) {
    this.#storage = storage;
    this.#wake = wake;
  }

  async open() {
    await this.#storage.open();
    this.#stopListening = this.#storage.onChange((ids) => void this.#changed(ids).catch((failure) => this.emit({ type: 'error', failure })));
  }

  /** Ends the waiting for results, before the storage is closed. */
  stop() {
    this.#isClosed = true;
    this.#stopListening();
    [...this.#waiters.keys()].forEach((id) => this.#answerWaiters(id, undefined));
  }

  async close() {
    await this.#storage.close();
  }

  /**
   * Runs a transaction that changes nothing.
   * @template T
   * @param {(transaction: StorageTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  read(work) {
    /** @type {(transaction: StorageTransaction) => Promise<T>} */
    const reading = (transaction) => work(readableOnly(transaction));
    return this.#storage.read === undefined ? this.#storage.transact(reading) : this.#storage.read(reading);
  }

  /**
   * @param {AbortSignal} signal
   * @param {(lost?: AbortSignal) => Promise<void>} work
   */
  lead(signal, work) {
    return this.#storage.lead(signal, work);
  }

  /**
   * Runs a transaction whose changes are told to the listeners after it.
   * @template T
   * @param {(transaction: StorageTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async transact(work) {
    /** @type {StoredRow[]} */
    const put = [];
    /** @type {string[]} */
    const removed = [];
    /** @type {QueueEvent[]} */
    const settings = [];
    const value = await this.#storage.transact((transaction) =>
      work({
        ...readableOnly(transaction),
        put: async (row) => {
          row.version = (row.version ?? 0) + 1;
          row.openOrderingKey = isOpen(row) && row.compensates === undefined ? row.orderingKey : undefined;
          await transaction.put(row);
          put.push(row);
        },
        remove: async (id) => {
          await transaction.remove(id);
          removed.push(id);
        },
        putSetting: async (name, value) => {
          await transaction.putSetting(name, value);
          settings.push(...settingEvents(name, value));
        },
      }),
    );
    settings.forEach((event) => this.emit(event));
    put.forEach((row) => this.#announce(row));
    removed.forEach((id) => this.#announceRemoved(id, true));
    return value;
  }

  /**
   * Waits until an operation is done or has failed.
   * @param {string} id
   * @param {AbortSignal} [signal]
   * @returns {Promise<StoredRow>}
   */
  async finished(id, signal) {
    signal?.throwIfAborted();
    /** @type {(row: StoredRow | undefined) => void} */
    let answered = () => {};
    let cancel = () => {};
    const finished = new Promise((/** @type {(row: StoredRow | undefined) => void} */ resolve, reject) => {
      answered = resolve;
      cancel = () => reject(signal?.reason);
    });
    finished.catch(() => {}); // Awaited below, unless the storage fails first.
    const waiters = this.#waiters.get(id) ?? new Set();
    this.#waiters.set(id, waiters.add(answered));
    signal?.addEventListener('abort', cancel, { once: true });
    let found;
    try {
      const row = await this.read((transaction) => transaction.get(id));
      if (row === undefined || isFinished(row)) {
        this.#answerWaiters(id, row);
      }
      found = await finished;
    } finally {
      waiters.delete(answered);
      signal?.removeEventListener('abort', cancel);
    }
    if (found === undefined) {
      throw new OperationStateError(id, this.#isClosed ? 'is not finished, and the queue is closed' : 'is not in the queue');
    }
    return found;
  }

  /**
   * @param {(event: QueueEvent) => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param {QueueEvent} event */
  emit(event) {
    for (const listener of [...this.#listeners]) {
      const report = (/** @type {unknown} */ failure) => this.#reportListener(listener, failure);
      try {
        // One that is async must not end a process of Node by what it rejects with.
        Promise.resolve(/** @type {unknown} */ (listener(event))).catch(report);
      } catch (failure) {
        report(failure);
      }
    }
  }

  /**
   * Another tab or process has changed something; without ids, it is not known what.
   * @param {string[]} ids
   */
  async #changed(ids) {
    if (this.#isClosed) {
      return;
    }
    this.#wake();
    const interesting = ids.length === 0 ? [...this.#waiters.keys()] : ids.filter((id) => id !== '');
    for (const id of interesting) {
      const row = await this.read((transaction) => transaction.get(id));
      if (row === undefined) {
        this.#announceRemoved(id);
      } else {
        this.#announce(row);
      }
    }
    this.emit({ type: 'changed' });
  }

  /** @param {StoredRow} row */
  #announce(row) {
    const version = row.version ?? 0;
    if ((this.#announced.get(row.id) ?? 0) >= version) {
      return;
    }
    this.#announced.delete(row.id);
    this.#announced.set(row.id, version);
    if (this.#announced.size > MAX_ANNOUNCED) {
      this.#announced.delete(/** @type {string} */ (this.#announced.keys().next().value));
    }
    const isWaiting = row.state === 'pending' && row.nextAttemptAt > 0;
    this.emit({ type: isWaiting ? 'waiting' : row.state, operation: shown(row) });
    if (isFinished(row)) {
      this.#answerWaiters(row.id, row);
    }
    if (row.state !== 'sending') {
      this.#wake();
    }
  }

  /**
   * @param {string} id
   * @param {boolean} [isOwn] whether this queue has removed it
   */
  #announceRemoved(id, isOwn = false) {
    if (this.#announced.delete(id) || isOwn) {
      this.emit({ type: 'removed', id });
    }
    this.#answerWaiters(id, undefined);
    this.#wake();
  }

  /**
   * @param {string} id
   * @param {StoredRow | undefined} row
   */
  #answerWaiters(id, row) {
    const waiters = this.#waiters.get(id) ?? [];
    this.#waiters.delete(id);
    waiters.forEach((resolve) => resolve(row));
  }

  /**
   * Tells the other listeners, and no listener about itself.
   * @param {(event: QueueEvent) => void} broken
   * @param {unknown} failure
   */
  #reportListener(broken, failure) {
    for (const listener of [...this.#listeners].filter((each) => each !== broken)) {
      try {
        Promise.resolve(/** @type {unknown} */ (listener({ type: 'error', failure }))).catch(() => {});
      } catch {
        // It has failed twice: there is nothing to tell it.
      }
    }
  }
}

/**
 * @param {string} name
 * @param {any} value
 * @returns {QueueEvent[]}
 */
function settingEvents(name, value) {
  if (name === CREDENTIALS || name === CONTRACT) {
    return [];
  }
  if (name === PARKED) {
    return [value.status === undefined ? { type: 'unparked' } : { type: 'parked', status: value.status }];
  }
  return [{ type: value ? 'paused' : 'resumed' }];
}

/**
 * @param {StorageTransaction} transaction
 * @returns {StorageTransaction} one that shows damaged rows as failed
 */
function readableOnly(transaction) {
  return {
    ...transaction,
    get: async (id) => {
      const row = await transaction.get(id);
      return row && readable(row);
    },
    where: async (field, value, options) => (await transaction.where(field, value, options)).map(readable),
  };
}
