/**
 * A storage in IndexedDB, for browsers. Every tab can write; the tab that holds a Web Lock sends, and
 * when it is closed, another tab gets the lock. A tab that the browser has frozen keeps the lock, and
 * does not answer: another takes it away. Needs a page that was loaded by https, or from this machine.
 * @module
 */
import { StorageError } from './errors.js';
import { range } from './limits.js';

/** @typedef {import('./index.js').StoredRow} StoredRow */

const VERSION = 1;
const FIELDS = ['key', 'state', 'fingerprint', 'openOrderingKey', 'behind', 'groupId'];
const OPERATIONS = 'operations';
const SUCCESSES = 'successes';
const SETTINGS = 'settings';
const LAST_SEQ = 'lastSeq';
/** What tabs tell each other, besides the ids of what was written. */
const PING = 'ping';
const PONG = 'pong';
const DEFAULT_TAKEOVER_MILLIS = 40_000;
const PINGS_PER_TAKEOVER = 4;
const OPEN_MILLIS = 10_000;
const BLOCKED = 'blocked';

/** A database of operations. */
export class IndexedDbStorage {
  #name;
  /** @type {IDBDatabase | undefined} */
  #database;
  /** @type {BroadcastChannel | undefined} */
  #channel;
  /** @type {Set<(ids: string[]) => void>} */
  #listeners = new Set();
  #takeoverMillis;
  #openMillis;
  #heardAt = 0;
  /** Aborted when this tab must not send any more: the lock or the database was taken from it. */
  #lost = new AbortController();
  #isLeading = false;
  #whyClosed = 'is not open';
  #isReported = false;

  /**
   * @param {string} [name] of the database; tabs of one origin with the same name share it
   * @param {{takeoverMillis?: number, openMillis?: number}} [options] after which time without an answer
   *     the sending tab counts as frozen, 40 s if not given; how long to wait for tabs that have an older
   *     version of the database open, 10 s if not given
   */
  constructor(name = 'once', { takeoverMillis = DEFAULT_TAKEOVER_MILLIS, openMillis = OPEN_MILLIS } = {}) {
    this.#name = name;
    this.#takeoverMillis = range('takeoverMillis', takeoverMillis, 100, 3_600_000);
    this.#openMillis = range('openMillis', openMillis, 1, 600_000);
  }

  async open() {
    if (globalThis.navigator?.locks === undefined) {
      throw new StorageError('the queue needs Web Locks: load the page by https');
    }
    if (globalThis.indexedDB === undefined) {
      throw new StorageError('the queue needs IndexedDB, which this browser does not have, or not in private windows');
    }
    try {
      this.#database = await opened(this.#name, this.#openMillis);
    } catch (failure) {
      throw new StorageError(`the database ${this.#name} ${whyNotOpened(failure)}`, failure);
    }
    this.#lost = new AbortController();
    this.#isReported = false;
    // Another tab has a newer version, which waits until all older ones have closed the database.
    this.#database.onversionchange = () => this.#lose('is closed: a newer version uses it in another tab');
    this.#database.onclose = () => this.#lose('was closed by the browser: load the page again');
    this.#channel = new BroadcastChannel(`once-queue-${this.#name}`);
    this.#channel.onmessage = ({ data }) => this.#heard(data);
  }

  /** @param {string} why */
  #lose(why) {
    this.#whyClosed = why;
    this.#database?.close();
    this.#database = undefined;
    this.#lost.abort();
  }

  /** @param {unknown} message */
  #heard(message) {
    if (message === PING) {
      if (this.#isLeading) {
        this.#channel?.postMessage(PONG);
      }
    } else if (message === PONG) {
      this.#heardAt = performance.now();
    } else if (Array.isArray(message)) {
      this.#listeners.forEach((listener) => listener(message));
    }
  }

  async close() {
    this.#channel?.close();
    this.#channel = undefined;
    this.#lose('is not open');
  }

  /**
   * Runs a transaction that writes nothing, and does not wait for others that write nothing.
   * @template T
   * @param {(transaction: import('./index.js').StorageTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  read(work) {
    return this.#run('readonly', work);
  }

  /**
   * Runs `work` in a transaction. It must await nothing but the transaction, or the browser commits it
   * before its end.
   * @template T
   * @param {(transaction: import('./index.js').StorageTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  transact(work) {
    return this.#run('readwrite', work);
  }

  /**
   * @template T
   * @param {'readonly' | 'readwrite'} mode
   * @param {(transaction: import('./index.js').StorageTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #run(mode, work) {
    /** @type {string[]} */
    const changed = [];
    const transaction = this.#begin(mode);
    const committed = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    committed.catch(() => {}); // Awaited below, unless `work` fails first.
    let value;
    try {
      value = await work(operationsOf(transaction, changed));
    } catch (failure) {
      try {
        transaction.abort();
      } catch {
        // It has ended already.
      }
      throw failure instanceof DOMException ? new StorageError(`cannot use the database ${this.#name}`, failure) : failure;
    }
    await committed.catch((failure) => {
      throw new StorageError(`cannot write to the database ${this.#name}`, failure);
    });
    if (changed.length > 0) {
      this.#channel?.postMessage(changed);
    }
    return value;
  }

  /** @param {'readonly' | 'readwrite'} mode */
  #begin(mode) {
    if (this.#database === undefined) {
      throw new StorageError(`the database ${this.#name} ${this.#whyClosed}`);
    }
    try {
      // Without strict, a loss of power can take back the last commits.
      return this.#database.transaction([OPERATIONS, SUCCESSES, SETTINGS], mode, { durability: 'strict' });
    } catch (failure) {
      throw new StorageError(`the database ${this.#name} cannot be used`, failure);
    }
  }

  /**
   * Runs `work` while this tab is the only sender.
   * @param {AbortSignal} signal
   * @param {(lost: AbortSignal) => Promise<void>} work
   */
  async lead(signal, work) {
    if (this.#database === undefined) {
      await this.#endWaiting(signal);
      return;
    }
    const waiting = new AbortController();
    const stop = () => waiting.abort();
    signal.addEventListener('abort', stop, { once: true });
    this.#lost.signal.addEventListener('abort', stop, { once: true });
    const watch = this.#watchSender(stop);
    let isFrozen = false;
    try {
      await this.#withLock({ signal: waiting.signal }, work, () => clearInterval(watch));
    } catch (failure) {
      isFrozen = waiting.signal.aborted && !signal.aborted && !this.#lost.signal.aborted;
      if (!isFrozen && !waiting.signal.aborted) {
        throw failure;
      }
    } finally {
      clearInterval(watch);
      signal.removeEventListener('abort', stop);
      this.#lost.signal.removeEventListener('abort', stop);
    }
    if (isFrozen) {
      await this.#withLock({ steal: true }, work, () => {});
    }
  }

  /**
   * Says once that this tab sends no more, so that the caller does not ask for ever.
   * @param {AbortSignal} signal
   */
  async #endWaiting(signal) {
    if (!this.#isReported) {
      this.#isReported = true;
      throw new StorageError(`the database ${this.#name} ${this.#whyClosed}`);
    }
    await new Promise((resolve) => (signal.aborted ? resolve(undefined) : signal.addEventListener('abort', resolve, { once: true })));
  }

  /**
   * @param {LockOptions} options
   * @param {(lost: AbortSignal) => Promise<void>} work
   * @param {() => void} begins
   */
  async #withLock(options, work, begins) {
    const lost = new AbortController();
    const lose = () => lost.abort();
    /** @type {Promise<void> | undefined} */
    let working;
    try {
      await navigator.locks.request(`once-queue-${this.#name}`, options, () => {
        begins();
        this.#isLeading = true;
        this.#lost.signal.addEventListener('abort', lose, { once: true });
        working = this.#lost.signal.aborted ? Promise.resolve() : work(lost.signal);
        return working;
      });
    } catch (failure) {
      if (working === undefined) {
        throw failure;
      }
      lose(); // Another tab has taken the lock, because this one was frozen.
      await working;
    } finally {
      this.#isLeading = false;
      this.#lost.signal.removeEventListener('abort', lose);
    }
  }

  /**
   * Asks the sending tab for a sign of life, and calls `frozen` when there is none for a time.
   * @param {() => void} frozen
   */
  #watchSender(frozen) {
    const period = this.#takeoverMillis / PINGS_PER_TAKEOVER;
    let pingedAt = performance.now();
    this.#heardAt = pingedAt;
    return setInterval(() => {
      const now = performance.now();
      if (now - pingedAt > 2 * period) {
        this.#heardAt = now; // This tab stood still itself.
      } else if (now - this.#heardAt > this.#takeoverMillis) {
        frozen();
      }
      pingedAt = now;
      this.#channel?.postMessage(PING);
    }, period);
  }

  /** @param {(ids: string[]) => void} listener */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/**
 * Adds what is missing. It never deletes: operations of an older version are still to be sent.
 * @param {IDBOpenDBRequest} request
 */
function upgrade({ result: database, transaction }) {
  const stores = database.objectStoreNames;
  const operations = stores.contains(OPERATIONS)
    ? /** @type {IDBTransaction} */ (transaction).objectStore(OPERATIONS)
    : database.createObjectStore(OPERATIONS, { keyPath: 'id' });
  for (const field of FIELDS) {
    if (!operations.indexNames.contains(field)) {
      operations.createIndex(field, [field, 'seq']);
    }
  }
  if (!stores.contains(SUCCESSES)) {
    database.createObjectStore(SUCCESSES, { keyPath: 'key' }).createIndex('at', 'at');
  }
  if (!stores.contains(SETTINGS)) {
    database.createObjectStore(SETTINGS);
  }
}

/**
 * @param {IDBTransaction} transaction
 * @param {string[]} changed
 * @returns {import('./index.js').StorageTransaction}
 */
function operationsOf(transaction, changed) {
  const operations = transaction.objectStore(OPERATIONS);
  const successes = transaction.objectStore(SUCCESSES);
  const settings = transaction.objectStore(SETTINGS);
  return {
    get: (id) => settled(operations.get(id)),
    put: async (row) => {
      changed.push(row.id);
      if (row.seq === undefined) {
        row.seq = Number((await settled(settings.get(LAST_SEQ))) ?? 0) + 1;
        await settled(settings.put(row.seq, LAST_SEQ));
      }
      // A field that is undefined is no key of an index, and leaves the row out of it.
      await settled(operations.put(row));
    },
    remove: async (id) => {
      changed.push(id);
      await settled(operations.delete(id));
    },
    where: (field, value, { after = 0, limit } = {}) =>
      settled(operations.index(field).getAll(rangeOf(value, after), limit)),
    count: (state) =>
      settled(state === undefined ? operations.count() : operations.index('state').count(rangeOf(state, 0))),
    success: async (key) => (await settled(successes.get(key)))?.at,
    putSuccess: async (key, at) => void (await settled(successes.put({ key, at }))),
    removeSuccesses: async (before) => {
      const old = await settled(successes.index('at').getAllKeys(IDBKeyRange.upperBound(before, true)));
      for (const key of old) {
        await settled(successes.delete(key));
      }
    },
    setting: (name) => settled(settings.get(name)),
    putSetting: async (name, value) => {
      changed.push(''); // Other tabs want to know, and a setting has no id.
      await settled(settings.put(value, name));
    },
  };
}

/**
 * @param {string} value
 * @param {number} after
 */
function rangeOf(value, after) {
  return IDBKeyRange.bound([value, after], [value, Infinity], true);
}

/**
 * @param {string} name
 * @param {number} openMillis
 * @returns {Promise<IDBDatabase>}
 */
function opened(name, openMillis) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, VERSION);
    let isLate = false;
    // A tab that is frozen does not close it: say so, and do not wait without an end.
    const limit = setTimeout(() => {
      isLate = true;
      reject(new Error(BLOCKED));
    }, openMillis);
    request.onupgradeneeded = () => upgrade(request);
    request.onsuccess = () => {
      clearTimeout(limit);
      if (isLate) {
        request.result.close();
      }
      resolve(request.result);
    };
    request.onerror = () => {
      clearTimeout(limit);
      reject(request.error);
    };
  });
}

/** @param {any} failure */
function whyNotOpened(failure) {
  if (failure?.name === 'VersionError') {
    return 'was written by a newer version of @once/client: update it';
  }
  return failure?.message === BLOCKED ? 'is used by an older version in another tab: close that tab' : 'cannot be opened';
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
