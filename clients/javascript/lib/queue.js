/**
 * A durable queue of operations.
 *
 * An operation is stored, with its key and its exact bytes, before it is first sent, and its outcome
 * is stored before it leaves the queue. In between it is `pending`, `sending` (leased by the sender),
 * then `done` or `failed`. A process or tab that ends while it sends leaves the row in `sending`; the
 * next sender sends it again under the same key, if the rules say that this is safe.
 *
 * Every tab or process can write. One sends: the one that the storage lets lead.
 * @module
 */
import { BACKGROUND } from './backoff.js';
import { CompletionWriter } from './completion-writer.js';
import { DuplicateOperationError, OperationStateError } from './errors.js';
import { range } from './limits.js';
import { Operation, bytesOf, fingerprint, randomUuid } from './operation.js';
import { PARKED, PAUSED, isForgotten, isInLedger, isWithoutEffect, newRow, operationOf, resultOfRow, shown, untried } from './row.js';
import { Sender } from './sender.js';
import { WatchedStorage } from './watched-storage.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StorageTransaction} StorageTransaction
 * @typedef {import('./index.js').QueueEvent} QueueEvent
 * @typedef {import('./index.js').OperationResult} OperationResult
 */

const DAY_MILLIS = 24 * 60 * 60 * 1000;
const MAX_EARLIER = 20;

/** A durable queue. */
export class OfflineQueue {
  #rules;
  #clock;
  #storage;
  #completions;
  #sender;
  #maxOperations;
  #ledgerMillis;
  /** @type {Set<string>} */
  #duplicateTypes;
  #isClosed = false;
  #wentOnline = () => this.#sender.wentOnline();

  /** @param {import('./index.js').QueueOptions} options */
  constructor({ client, ...options }) {
    this.#rules = client.rules;
    this.#clock = client.clock;
    this.#maxOperations = range('maxOperations', options.maxOperations ?? 10_000, 1, 1_000_000);
    this.#ledgerMillis = range('ledgerMillis', options.ledgerMillis ?? DAY_MILLIS, 1_000, 3650 * DAY_MILLIS);
    this.#duplicateTypes = new Set(options.duplicateTypes ?? []);
    this.#storage = new WatchedStorage(options.storage, () => this.#sender.wake());
    this.#completions = new CompletionWriter({
      rules: client.rules,
      maxAttempts: range('maxAttempts', options.maxAttempts ?? 5, 1, 1_000),
      backoff: options.backoff ?? BACKGROUND,
      random: options.random ?? Math.random,
    });
    this.#sender = new Sender({
      client,
      storage: this.#storage,
      completions: this.#completions,
      lookup: options.lookup,
      concurrency: range('concurrency', options.concurrency ?? 4, 1, 100),
      ledgerMillis: this.#ledgerMillis,
      name: randomUuid(),
    });
  }

  /**
   * Opens the storage, and starts sending as soon as no other tab or process does.
   * @param {import('./index.js').QueueOptions} options
   */
  static async open(options) {
    const queue = new OfflineQueue(options);
    await queue.#open(options.isSender ?? true);
    return queue;
  }

  /** @param {boolean} isSender */
  async #open(isSender) {
    await this.#storage.open();
    globalThis.addEventListener?.('online', this.#wentOnline);
    if (isSender) {
      this.#sender.start();
    }
  }

  /**
   * Stores an operation; it is on the disk when the promise is fulfilled. An operation whose key is in
   * the queue already is not stored again: the handle is that of the first.
   * @param {Operation} operation
   * @param {{allowDuplicate?: boolean}} [options]
   * @returns {Promise<import('./index.js').QueueHandle>}
   * @throws {DuplicateOperationError} if an operation of the same type does the same under another key
   */
  async enqueue(operation, { allowDuplicate = false } = {}) {
    const row = newRow(operation, await fingerprint(operation), this.#clock.now());
    const isAllowed = allowDuplicate || this.#duplicateTypes.has(operation.type);
    const stored = await this.#storage.transact((transaction) => this.#add(transaction, row, isAllowed));
    return this.#handle(stored);
  }

  /**
   * Stores operations that take effect together: they are sent one after the other, and when one
   * fails, the rest is not sent, and the compensations of those that took effect are sent in reverse.
   * @param {Array<{operation: Operation, compensation?: Operation}>} members
   * @param {{allowDuplicate?: boolean}} [options]
   * @returns {Promise<{group: string, handles: import('./index.js').QueueHandle[]}>}
   */
  async enqueueGroup(members, { allowDuplicate = false } = {}) {
    const group = randomUuid();
    /** @type {StoredRow[]} */
    const rows = [];
    for (const { operation, compensation } of members) {
      const row = newRow(operation, await fingerprint(operation), this.#clock.now());
      row.groupId = group;
      row.compensation = compensation && newRow(compensation, await fingerprint(compensation), this.#clock.now());
      rows.push(row);
    }
    await this.#storage.transact(async (transaction) => {
      for (const row of rows) {
        const stored = await this.#add(transaction, row, allowDuplicate || this.#duplicateTypes.has(row.type));
        if (stored !== row) {
          throw new OperationStateError(stored.id, 'has the key of a member of the group already');
        }
      }
    });
    return { group, handles: rows.map((row) => this.#handle(row)) };
  }

  /**
   * Returns whether an operation with this key took effect in the last 24 hours.
   * @param {string} key
   */
  async hasSucceeded(key) {
    return this.#storage.read((transaction) => isInLedger(transaction, key, this.#clock.now() - this.#ledgerMillis));
  }

  /**
   * Tells the queue that an operation with this key took effect by another way: it is not sent.
   * @param {string} key
   */
  async markSuccess(key) {
    await this.#storage.transact((transaction) => transaction.putSuccess(key, this.#clock.now()));
    this.#sender.wake();
  }

  /**
   * Waits until an operation is done or has failed; also one of an earlier run of the program.
   * @param {string} id
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<OperationResult>}
   */
  async awaitResult(id, { signal } = {}) {
    return resultOfRow(await this.#storage.finished(id, signal));
  }

  /**
   * Returns the operations of a state, or all, in their order.
   * @param {{state?: StoredRow['state']}} [options]
   */
  async list({ state } = {}) {
    const rows = await this.#storage.read(async (transaction) => {
      const found = [];
      for (const each of state === undefined ? ['pending', 'sending', 'failed', 'done'] : [state]) {
        found.push(...(await transaction.where('state', each)));
      }
      return found;
    });
    return rows.sort((a, b) => Number(a.seq) - Number(b.seq)).map(shown);
  }

  /**
   * Sends a failed operation again under the same key: for one whose effect is unknown, or that would
   * be accepted now.
   * @param {string} id
   * @param {{isChecked?: boolean}} [options] `isChecked` says that the caller has checked that it has
   *     not taken effect: needed when the server may have forgotten the key
   */
  async resend(id, { isChecked = false } = {}) {
    await this.#storage.transact(async (transaction) => {
      const row = await this.#failedRow(transaction, id);
      if (isForgotten(row, this.#rules, this.#clock.now()) && !isChecked) {
        throw new OperationStateError(id, 'may have taken effect, and the server may have forgotten its key: check, then pass isChecked');
      }
      const kept = isChecked ? {} : { firstSentAt: row.firstSentAt, mayHaveTakenEffect: row.mayHaveTakenEffect };
      Object.assign(row, untried(), kept, { state: 'pending', nextAttemptAt: 0 });
      await transaction.put(row);
    });
  }

  /**
   * Sends a failed operation again under a new key, as if it had never been sent. If the first may have
   * taken effect, it can take effect twice: check before.
   * @param {string} id
   * @returns {Promise<import('./index.js').QueueHandle>}
   */
  async repeat(id) {
    const row = await this.#storage.transact(async (transaction) => {
      const found = await this.#failedRow(transaction, id);
      renew(found);
      await transaction.put(found);
      return found;
    });
    return this.#handle(row);
  }

  /**
   * Changes the body of an operation, which gets a new key and new attempts. If it may have been sent
   * before, the change is an operation of its own, sent after the first has ended.
   * @param {string} id
   * @param {string | Uint8Array} body
   * @returns {Promise<import('./index.js').QueueHandle>} of the changed operation
   * @throws {OperationStateError} if it is being sent now, or is done
   */
  async edit(id, body) {
    const before = await this.#storage.read((transaction) => transaction.get(id));
    if (before === undefined) {
      throw new OperationStateError(id, 'is not in the queue');
    }
    const changed = operationOf(before).copy({ body: bytesOf(body) });
    const changedFingerprint = await fingerprint(changed);
    const row = await this.#storage.transact(async (transaction) => {
      const current = await this.#lastChange(transaction, await this.#presentRow(transaction, id));
      if (current.state === 'sending' || current.state === 'done') {
        throw new OperationStateError(current.id, `cannot be changed: it is ${current.state}`);
      }
      refuseIfReplaced(current);
      if (isWithoutEffect(current)) {
        renew(current);
        Object.assign(current, { body: changed.body, fingerprint: changedFingerprint });
        await transaction.put(current);
        return current;
      }
      if (current.groupId !== undefined) {
        throw new OperationStateError(id, 'may have been sent, and others of its group follow: resend or drop it');
      }
      const later = newRow(changed, changedFingerprint, this.#clock.now());
      later.behind = current.id;
      await transaction.put(later);
      return later;
    });
    return this.#handle(row);
  }

  /**
   * Removes a failed operation, or one that was never sent; the rest of its group is undone.
   * @param {string} id
   */
  async drop(id) {
    await this.#storage.transact(async (transaction) => {
      const row = await this.#presentRow(transaction, id);
      if (row.state !== 'failed' && !isWithoutEffect(row)) {
        throw new OperationStateError(id, `cannot be dropped: it is ${row.state}, and its outcome is not known`);
      }
      if (row.groupId !== undefined && !row.isUndone) {
        await this.#completions.undo(transaction, row, this.#clock.now());
      }
      await transaction.remove(id);
    });
  }

  /** Continues after a 401 or 403: the next request asks the client for its credentials. */
  async credentialsChanged() {
    await this.#set(PARKED, { changedAt: this.#clock.now() });
  }

  /** Stops sending, in all tabs and processes and across restarts, until {@link OfflineQueue#resume}. */
  async pause() {
    await this.#set(PAUSED, true);
  }

  async resume() {
    await this.#set(PAUSED, false);
  }

  /** Returns whether this queue sends, and what keeps it from sending. */
  async status() {
    return this.#storage.read(async (transaction) => {
      const parked = /** @type {any} */ (await transaction.setting(PARKED));
      return {
        isSender: this.#sender.isLeading,
        isPaused: (await transaction.setting(PAUSED)) === true,
        /** The answer that parked the queue. @type {{status: number, since: number} | undefined} */
        parked: parked?.status === undefined ? undefined : parked,
      };
    });
  }

  /**
   * Calls `listener` with each change.
   * @param {(event: QueueEvent) => void} listener
   * @returns {() => void} ends the subscription
   */
  subscribe(listener) {
    return this.#storage.subscribe(listener);
  }

  /**
   * Waits until no operation is pending or being sent.
   * @param {{deadlineMillis?: number}} [options]
   * @returns {Promise<number>} how many are left at the deadline
   */
  async drain({ deadlineMillis = 30_000 } = {}) {
    const deadline = this.#clock.now() + deadlineMillis;
    for (;;) {
      const change = new AbortController();
      const stop = this.subscribe(() => change.abort());
      const left = await this.#storage.read(
        async (transaction) => (await transaction.count('pending')) + (await transaction.count('sending')),
      );
      const rest = deadline - this.#clock.now();
      if (left > 0 && rest > 0 && !this.#isClosed) {
        await this.#clock.sleep(rest, change.signal);
      }
      stop();
      if (left === 0 || rest <= 0 || this.#isClosed) {
        return left;
      }
    }
  }

  /**
   * Stops sending: attempts that are in flight may end until the deadline, then they are cancelled and
   * are sent again by the next sender. Removes nothing.
   * @param {{deadlineMillis?: number}} [options]
   */
  async close({ deadlineMillis = 5_000 } = {}) {
    this.#isClosed = true;
    await this.#sender.stop(deadlineMillis);
    globalThis.removeEventListener?.('online', this.#wentOnline);
    this.#storage.stop();
    await this.#storage.close();
  }

  /**
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   * @param {boolean} isDuplicateAllowed
   * @returns {Promise<StoredRow>} the row that is in the queue
   */
  async #add(transaction, row, isDuplicateAllowed) {
    if ((await transaction.get(row.id)) !== undefined) {
      throw new OperationStateError(row.id, 'is in the queue already');
    }
    for (const other of await transaction.where('key', row.key)) {
      if (other.fingerprint !== row.fingerprint) {
        throw new OperationStateError(other.id, 'has the same key, and does something else: create a new operation');
      }
      return other;
    }
    const same = isDuplicateAllowed ? [] : await transaction.where('fingerprint', row.fingerprint);
    const counted = same.find((other) => other.supersededBy === undefined && !other.isUndone);
    if (counted !== undefined) {
      throw new DuplicateOperationError(row.type, counted.id);
    }
    if ((await transaction.count()) >= this.#maxOperations) {
      throw new RangeError(`the queue is full: it has ${this.#maxOperations} operations`);
    }
    await transaction.put(row);
    return row;
  }

  /**
   * @param {StorageTransaction} transaction
   * @param {string} id
   */
  async #presentRow(transaction, id) {
    const row = await transaction.get(id);
    if (row === undefined) {
      throw new OperationStateError(id, 'is not in the queue');
    }
    return row;
  }

  /**
   * Returns the last of the changes that wait behind an operation; itself if there is none.
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   */
  async #lastChange(transaction, row) {
    let last = row;
    for (let next = row; next !== undefined; [next] = await transaction.where('behind', last.id, { limit: 1 })) {
      last = next;
    }
    return last;
  }

  /**
   * @param {StorageTransaction} transaction
   * @param {string} id
   */
  async #failedRow(transaction, id) {
    const row = await this.#presentRow(transaction, id);
    if (row.state !== 'failed' || row.isUnreadable) {
      throw new OperationStateError(id, row.isUnreadable ? 'cannot be read' : `has not failed: it is ${row.state}`);
    }
    refuseIfReplaced(row);
    return row;
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  async #set(name, value) {
    await this.#storage.transact((transaction) => transaction.putSetting(name, value));
    this.#sender.wake();
  }

  /**
   * @param {StoredRow} row
   * @returns {import('./index.js').QueueHandle}
   */
  #handle(row) {
    return { id: row.id, key: row.key, result: (options) => this.awaitResult(row.id, options) };
  }
}

/** @param {StoredRow} row */
function refuseIfReplaced(row) {
  if (row.supersededBy !== undefined) {
    throw new OperationStateError(row.id, `was replaced by operation ${row.supersededBy}`);
  }
  if (row.isUndone) {
    throw new OperationStateError(row.id, 'belongs to a group that was undone: enqueue the group again');
  }
}

/**
 * Makes a row an operation of its own, at the same place.
 * @param {StoredRow} row
 */
function renew(row) {
  const earlier = { key: row.key, attempts: row.attempts, advice: row.result?.advice, reason: row.result?.reason };
  row.earlier = [...(row.earlier ?? []), earlier].slice(-MAX_EARLIER);
  Object.assign(row, untried(), { key: randomUuid(), state: 'pending', nextAttemptAt: 0 });
}

