/**
 * A storage that ends with the process: for tests, and for programs that want the rules of the queue
 * without durability.
 * @module
 */

/** @typedef {import('./index.js').StoredRow} StoredRow */

/** Several queues can share one; one of them sends. */
export class MemoryStorage {
  /** @type {Map<string, StoredRow>} */
  #rows = new Map();
  /** @type {Map<string, number>} */
  #successes = new Map();
  /** @type {Map<string, unknown>} */
  #settings = new Map();
  #lastSeq = 0;
  /** @type {Promise<unknown>} */
  #transactions = Promise.resolve();
  /** @type {Promise<unknown>} */
  #leaders = Promise.resolve();
  /** @type {Set<(ids: string[]) => void>} */
  #listeners = new Set();

  async open() {}

  async close() {}

  /**
   * @template T
   * @param {(transaction: import('./index.js').StorageTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  transact(work) {
    const result = this.#transactions.then(async () => {
      const before = [new Map(this.#rows), new Map(this.#successes), new Map(this.#settings), this.#lastSeq];
      /** @type {string[]} */
      const changed = [];
      try {
        const value = await work(this.#transaction(changed));
        if (changed.length > 0) {
          queueMicrotask(() => this.#listeners.forEach((listener) => listener(changed)));
        }
        return value;
      } catch (failure) {
        [this.#rows, this.#successes, this.#settings, this.#lastSeq] = /** @type {any} */ (before);
        throw failure;
      }
    });
    this.#transactions = result.catch(() => {});
    return result;
  }

  /**
   * @template T
   * @param {(transaction: import('./index.js').StorageTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  read(work) {
    return this.transact(work);
  }

  /**
   * @param {AbortSignal} signal
   * @param {(lost?: AbortSignal) => Promise<void>} work
   */
  async lead(signal, work) {
    const cancelled = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    const led = this.#leaders.then(() => (signal.aborted ? undefined : work()));
    let isLeading = false;
    void this.#leaders.then(() => (isLeading = true));
    this.#leaders = led.catch(() => {});
    await Promise.race([led, cancelled.then(() => (isLeading ? led : undefined))]);
  }

  /** @param {(ids: string[]) => void} listener */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * @param {string[]} changed
   * @returns {import('./index.js').StorageTransaction}
   */
  #transaction(changed) {
    return {
      get: async (id) => structuredClone(this.#rows.get(id)),
      put: async (row) => {
        row.seq ??= ++this.#lastSeq;
        this.#rows.set(row.id, structuredClone(row));
        changed.push(row.id);
      },
      remove: async (id) => {
        this.#rows.delete(id);
        changed.push(id);
      },
      where: async (field, value, { after = 0, limit = Infinity } = {}) =>
        [...this.#rows.values()]
          .filter((row) => row[field] === value && Number(row.seq) > after)
          .sort((a, b) => Number(a.seq) - Number(b.seq))
          .slice(0, limit)
          .map((row) => structuredClone(row)),
      count: async (state) => [...this.#rows.values()].filter((row) => state === undefined || row.state === state).length,
      success: async (key) => this.#successes.get(key),
      putSuccess: async (key, at) => void this.#successes.set(key, at),
      removeSuccesses: async (before) => {
        for (const [key, at] of this.#successes) {
          if (at < before) {
            this.#successes.delete(key);
          }
        }
      },
      setting: async (name) => this.#settings.get(name),
      putSetting: async (name, value) => {
        changed.push('');
        this.#settings.set(name, value);
      },
    };
  }
}
