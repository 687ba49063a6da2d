/**
 * A storage in a SQLite file, for Node. A commit is on the disk when it returns: it survives the end
 * of the process and of the machine. Several processes can use one file; one of them sends.
 * @module
 */
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from './errors.js';
import { range } from './limits.js';
import { unreadable } from './row.js';

/** @typedef {import('./index.js').StoredRow} StoredRow */

/** Each is run once, in this order. A later one may change rows, and removes none. */
const MIGRATIONS = [
  `CREATE TABLE once_operation (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     key TEXT NOT NULL,
     state TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     openOrderingKey TEXT,
     behind TEXT,
     groupId TEXT,
     details TEXT NOT NULL,
     body BLOB NOT NULL,
     answer BLOB
   );
   CREATE INDEX once_operation_key ON once_operation (key, seq);
   CREATE INDEX once_operation_state ON once_operation (state, seq);
   CREATE INDEX once_operation_fingerprint ON once_operation (fingerprint, seq);
   CREATE INDEX once_operation_ordering_key ON once_operation (openOrderingKey, seq) WHERE openOrderingKey IS NOT NULL;
   CREATE INDEX once_operation_behind ON once_operation (behind, seq) WHERE behind IS NOT NULL;
   CREATE INDEX once_operation_group ON once_operation (groupId, seq) WHERE groupId IS NOT NULL;
   CREATE TABLE once_success (key TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE INDEX once_success_at ON once_success (at);
   CREATE TABLE once_setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`,
];
const FIELDS = ['key', 'state', 'fingerprint', 'openOrderingKey', 'behind', 'groupId'];
/** How long a transaction waits for one of another process. */
const BUSY_MILLIS = 10_000;
/** SQLite waits without letting anything else happen in this process: it does so shortly, and often. */
const BUSY_STEP_MILLIS = 10;
const SQLITE_BUSY = 5;
const POLL_MILLIS = 100;
const DEFAULT_MAX_BYTES = 1024 ** 3;
const SQLITE_FULL = 13;
const BYTES = '$bytes';

/** A file of operations. */
export class SqliteStorage {
  #file;
  #maxBytes;
  /** @type {DatabaseSync | undefined} */
  #database;
  /** @type {Map<string, import('node:sqlite').StatementSync>} */
  #statements = new Map();
  /** @type {Promise<unknown>} */
  #transactions = Promise.resolve();
  /** @type {Set<(ids: string[]) => void>} */
  #listeners = new Set();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #poll;
  #dataVersion = 0;

  /**
   * @param {string} file a second file is made beside it, whose lock the sender holds
   * @param {{maxBytes?: number}} [options] from which size on no operations are accepted, 1 GiB if not
   *     given; answers to those that were accepted find room in as much again
   */
  constructor(file, { maxBytes = DEFAULT_MAX_BYTES } = {}) {
    this.#file = file;
    this.#maxBytes = range('maxBytes', maxBytes, 100_000, Number.MAX_SAFE_INTEGER);
  }

  async open() {
    try {
      this.#database = new DatabaseSync(this.#file, { timeout: BUSY_MILLIS }); // Another may be opening it.
      // FULL: without it, a loss of power can take back the last commits.
      this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      this.#migrate(this.#database);
      const pageBytes = Number(this.#statement('PRAGMA page_size').get()?.page_size);
      this.#database.exec(`PRAGMA max_page_count = ${Math.ceil((2 * this.#maxBytes) / pageBytes)}`);
      this.#database.exec(`PRAGMA busy_timeout = ${BUSY_STEP_MILLIS}`);
    } catch (failure) {
      this.#database?.close();
      this.#database = undefined;
      throw failure instanceof StorageError ? failure : new StorageError(`cannot open ${this.#file}`, failure);
    }
    this.#dataVersion = this.#readDataVersion();
    this.#poll = setInterval(() => this.#lookForChanges(), POLL_MILLIS);
  }

  async close() {
    clearInterval(this.#poll);
    await this.#transactions;
    this.#database?.close();
    this.#database = undefined;
    this.#statements.clear();
  }

  /**
   * Runs `work` in a transaction. It must await nothing but the transaction.
   * @template T
   * @param {(transaction: import('./index.js').StorageTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  transact(work) {
    return this.#inTurn(() => this.#run('BEGIN IMMEDIATE', work));
  }

  /**
   * Runs a transaction that writes nothing, and does not wait for writers.
   * @template T
   * @param {(transaction: import('./index.js').StorageTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  read(work) {
    return this.#inTurn(() => this.#run('BEGIN', work));
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  #inTurn(work) {
    const result = this.#transactions.then(work);
    this.#transactions = result.catch(() => {});
    return result;
  }

  /**
   * Runs `work` while this is the only sender. The lock is one of the operating system, so that it
   * ends with the process.
   * @param {AbortSignal} signal
   * @param {(lost?: AbortSignal) => Promise<void>} work
   */
  async lead(signal, work) {
    const lock = new DatabaseSync(`${this.#file}-sender`, { timeout: 0 });
    try {
      while (!signal.aborted) {
        if (isLocked(lock)) {
          await work();
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
      }
    } finally {
      lock.close();
    }
  }

  /** @param {(ids: string[]) => void} listener */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param {DatabaseSync} database */
  #migrate(database) {
    database.exec('BEGIN IMMEDIATE'); // Another process may be migrating.
    try {
      const version = Number(Object.values(database.prepare('PRAGMA user_version').get() ?? {})[0]);
      if (version > MIGRATIONS.length) {
        throw new StorageError(`${this.#file} was written by a newer version of @once/client: update it`);
      }
      MIGRATIONS.slice(version).forEach((migration) => database.exec(migration));
      database.exec(`PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`);
    } catch (failure) {
      if (database.isTransaction) {
        database.exec('ROLLBACK');
      }
      throw failure;
    }
  }

  /**
   * @template T
   * @param {'BEGIN' | 'BEGIN IMMEDIATE'} begin
   * @param {(transaction: import('./index.js').StorageTransaction) => Promise<T>} work
   */
  async #run(begin, work) {
    const end = performance.now() + BUSY_MILLIS;
    for (;;) {
      const database = this.#database;
      if (database === undefined) {
        throw new StorageError(`${this.#file} is not open`);
      }
      try {
        database.exec(begin);
        const value = await work(this.#transaction());
        database.exec('COMMIT');
        return value;
      } catch (failure) {
        if (database.isTransaction) {
          database.exec('ROLLBACK');
        }
        if (!isBusy(failure) || performance.now() > end) {
          throw isOfSqlite(failure) ? new StorageError(`cannot use ${this.#file}`, failure) : failure;
        }
        await new Promise((resolve) => setTimeout(resolve, BUSY_STEP_MILLIS)); // Nothing was done.
      }
    }
  }

  #requireRoom() {
    const { bytes } = /** @type {any} */ (
      this.#statement(
        `SELECT (page_count - freelist_count) * page_size AS bytes
         FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
      ).get()
    );
    if (bytes > this.#maxBytes) {
      const reason = `${this.#file} is full: it has ${bytes} bytes, and may have ${this.#maxBytes}; send or drop operations first`;
      throw new StorageError(reason, { errcode: SQLITE_FULL });
    }
  }

  /** Other processes tell nothing; SQLite tells that they have written. */
  #lookForChanges() {
    try {
      const version = this.#readDataVersion();
      if (version !== this.#dataVersion) {
        this.#dataVersion = version;
        this.#listeners.forEach((listener) => listener([]));
      }
    } catch {
      // The next transaction reports what is wrong with the file.
    }
  }

  #readDataVersion() {
    return Number(this.#statement('PRAGMA data_version').get()?.data_version);
  }

  /** @param {string} sql */
  #statement(sql) {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = /** @type {DatabaseSync} */ (this.#database).prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** @returns {import('./index.js').StorageTransaction} */
  #transaction() {
    return {
      get: async (id) => rowOf(this.#statement('SELECT * FROM once_operation WHERE id = ?').get(id)),
      put: async (row) => {
        if (row.seq === undefined && row.compensates === undefined) {
          this.#requireRoom();
        }
        const { seq, body, result, ...details } = row;
        const values = [
          ...FIELDS.map((field) => row[field] ?? null),
          JSON.stringify({ ...details, result: result && { ...result, answer: headOf(result.answer) } }, withBytes),
          body,
          result?.answer?.body ?? null,
        ];
        const columns = [...FIELDS, 'details', 'body', 'answer'];
        const sets = columns.map((column) => `${column} = excluded.${column}`).join(', ');
        const stored = this.#statement(
          `INSERT INTO once_operation (seq, id, ${columns.join(', ')}) VALUES (?, ?, ${columns.map(() => '?').join(', ')})
           ON CONFLICT (id) DO UPDATE SET ${sets} RETURNING seq`,
        ).get(seq ?? null, row.id, ...values);
        row.seq = Number(stored?.seq);
      },
      remove: async (id) => void this.#statement('DELETE FROM once_operation WHERE id = ?').run(id),
      where: async (field, value, { after = 0, limit = -1 } = {}) => {
        if (!FIELDS.includes(field)) {
          throw new TypeError(`operations cannot be found by ${field}`);
        }
        return this.#statement(`SELECT * FROM once_operation WHERE ${field} = ? AND seq > ? ORDER BY seq LIMIT ?`)
          .all(value, after, limit)
          .map((found) => /** @type {StoredRow} */ (rowOf(found)));
      },
      count: async (state) => {
        const all = 'SELECT count(*) AS n FROM once_operation';
        const found = state === undefined ? this.#statement(all).get() : this.#statement(`${all} WHERE state = ?`).get(state);
        return Number(found?.n);
      },
      success: async (key) => {
        const found = this.#statement('SELECT at FROM once_success WHERE key = ?').get(key);
        return found && Number(found.at);
      },
      putSuccess: async (key, at) =>
        void this.#statement(
          'INSERT INTO once_success (key, at) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET at = excluded.at',
        ).run(key, at),
      removeSuccesses: async (before) => void this.#statement('DELETE FROM once_success WHERE at < ?').run(before),
      setting: async (name) => {
        const found = this.#statement('SELECT value FROM once_setting WHERE name = ?').get(name);
        return found && JSON.parse(String(found.value));
      },
      putSetting: async (name, value) =>
        void this.#statement(
          'INSERT INTO once_setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        ).run(name, JSON.stringify(value)),
    };
  }
}

/**
 * Returns a row; one that cannot be read is shown as failed, so that it does not stop the others.
 * @param {any} found
 * @returns {StoredRow | undefined}
 */
function rowOf(found) {
  if (found === undefined) {
    return undefined;
  }
  try {
    const row = { ...JSON.parse(found.details, toBytes), seq: found.seq, body: found.body };
    if (row.result?.answer) {
      row.result.answer.body = found.answer ?? new Uint8Array();
    }
    return row;
  } catch {
    return unreadable(found);
  }
}

/**
 * Writes bytes into JSON: those of a compensation are part of its member.
 * @param {string} _
 * @param {unknown} value
 */
function withBytes(_, value) {
  return value instanceof Uint8Array ? { [BYTES]: Buffer.from(value).toString('base64') } : value;
}

/**
 * @param {string} _
 * @param {any} value
 */
function toBytes(_, value) {
  return typeof value?.[BYTES] === 'string' ? new Uint8Array(Buffer.from(value[BYTES], 'base64')) : value;
}

/** @param {any} answer */
function headOf(answer) {
  return answer && { ...answer, body: undefined };
}

/** @param {DatabaseSync} lock */
function isLocked(lock) {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (failure) {
    if (isBusy(failure)) {
      return false;
    }
    throw failure;
  }
}

/** @param {any} failure */
function isBusy(failure) {
  return isOfSqlite(failure) && (failure.errcode & 0xff) === SQLITE_BUSY; // The rest says more exactly why.
}

/** @param {any} failure */
function isOfSqlite(failure) {
  return failure?.code === 'ERR_SQLITE_ERROR';
}
