/**
 * A storage in IndexedDB, for browsers. Every tab can write; the tab that holds a Web Lock sends, and
 * when it is closed, another tab gets the lock. Needs a page that was loaded by https, or from this
 * machine.
 * @module
 */
import { StorageError } from './errors.js';

/** @typedef {import('./index.js').StoredRow} StoredRow */

const VERSION = 1;
const FIELDS = ['key', 'state', 'fingerprint', 'openLane', 'behind', 'groupId'];
const OPERATIONS = 'operations';
const SUCCESSES = 'successes';
const SETTINGS = 'settings';
const LAST_SEQ = 'lastSeq';

/** A database of operations. */
export class IndexedDbStorage {
  #name;
  /** @type {IDBDatabase | undefined} */
  #database;
  /** @type {BroadcastChannel | undefined} */
  #channel;
  /** @type {Set<(ids: string[]) => void>} */
  #listeners = new Set();

  /** @param {string} [name] of the database; tabs of one origin with the same name share it */
  constructor(name = 'once') {
    this.#name = name;
  }

  async open() {
    if (navigator.locks === undefined) {
      throw new StorageError('the queue needs Web Locks: load the page by https');
    }
    const request = indexedDB.open(this.#name, VERSION);
    request.onupgradeneeded = () => upgrade(request);
    try {
      this.#database = await settled(request);
    } catch (failure) {
      const isNewer = /** @type {any} */ (failure)?.name === 'VersionError';
      const reason = isNewer ? ' was written by a newer version of @once/client: update it' : ' cannot be opened';
      throw new StorageError(`the database ${this.#name}${reason}`, failure);
    }
    // Another tab has a newer version, which waits until all older ones have closed the database.
    this.#database.onversionchange = () => this.#database?.close();
    this.#channel = new BroadcastChannel(`once-queue-${this.#name}`);
    this.#channel.onmessage = ({ data }) => this.#listeners.forEach((listener) => listener(data));
  }

  async close() {
    this.#channel?.close();
    this.#database?.close();
    this.#database = undefined;
  }

  /**
   * Runs `work` in a transaction. It must await nothing but the transaction, or the browser commits it
   * before its end.
   * @template T
   * @param {(transaction: import('./index.js').StorageTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async transact(work) {
    if (this.#database === undefined) {
      throw new StorageError(`the database ${this.#name} is not open`);
    }
    /** @type {string[]} */
    const changed = [];
    const transaction = this.#begin(this.#database);
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

  /** @param {IDBDatabase} database */
  #begin(database) {
    try {
      // Without strict, a loss of power can take back the last commits.
      return database.transaction([OPERATIONS, SUCCESSES, SETTINGS], 'readwrite', { durability: 'strict' });
    } catch (failure) {
      throw new StorageError(`the database ${this.#name} is closed: a newer version uses it in another tab`, failure);
    }
  }

  /**
   * Runs `work` while this tab is the only sender.
   * @param {AbortSignal} signal
   * @param {() => Promise<void>} work
   */
  async lead(signal, work) {
    try {
      await navigator.locks.request(`once-queue-${this.#name}`, { signal }, () => work());
    } catch (failure) {
      if (!signal.aborted) {
        throw failure;
      }
    }
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
