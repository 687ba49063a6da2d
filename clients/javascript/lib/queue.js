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
import { add, addGroup, storedGroup } from './additions.js';
import { BACKGROUND } from './backoff.js';
import { failedRow, lastChange, presentRow, refuseIfReplaced, renew } from './changes.js';
import { Cipher } from './cipher.js';
import { elapsedMillis } from './clock.js';
import { CompletionWriter } from './completion-writer.js';
import { adopt } from './contract.js';
import { OperationStateError } from './errors.js';
import { requireNoneSending, undo } from './groups.js';
import { range } from './limits.js';
import { Operation, bytesOf, randomUuid } from './operation.js';
import { CREDENTIALS, PARKED, PAUSED, isForgotten, isInLedger, isWithoutEffect, newRow, operationOf, resultOfRow, shown, untried } from './row.js';
import { Sender } from './sender.js';
import { WatchedStorage } from './watched-storage.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StorageTransaction} StorageTransaction
 * @typedef {import('./index.js').QueueEvent} QueueEvent
 * @typedef {import('./index.js').OperationResult} OperationResult
 */

const DAY_MILLIS = 24 * 60 * 60 * 1000;

/** A durable queue. */
export class OfflineQueue {
  #client;
  #clock;
  #storage;
  #completions;
  #sender;
  #cipher;
  #hasLookup;
  #metrics = { enqueued: 0, attempts: 0, unanswered: 0, done: 0, replayed: 0, failed: 0 };
  #maxOperations;
  #ledgerMillis;
  /** @type {Set<string>} */
  #duplicateTypes;
  #isClosed = false;
  #wentOnline = () => this.#sender.wentOnline();

  /** @param {import('./index.js').QueueOptions} options */
  constructor({ client, ...options }) {
    this.#client = client;
    this.#cipher = new Cipher(options.keyRing);
    this.#hasLookup = options.lookup !== undefined;
    this.#clock = client.clock;
    this.#maxOperations = range('maxOperations', options.maxOperations ?? 10_000, 1, 1_000_000);
    this.#ledgerMillis = range('ledgerMillis', options.ledgerMillis ?? DAY_MILLIS, 1_000, 3650 * DAY_MILLIS);
    this.#duplicateTypes = new Set(options.duplicateTypes ?? []);
    this.#storage = new WatchedStorage(options.storage, () => this.#sender.wake());
    const backoff = options.backoff ?? BACKGROUND;
    this.#completions = new CompletionWriter({
      rules: client.rules,
      maxAttempts: range('maxAttempts', options.maxAttempts ?? 5, 1, 1_000),
      backoff,
      random: options.random ?? Math.random,
    });
    this.#sender = new Sender({
      client,
      storage: this.#storage,
      completions: this.#completions,
      cipher: this.#cipher,
      metrics: this.#metrics,
      lookup: options.lookup,
      concurrency: range('concurrency', options.concurrency ?? 4, 1, 100),
      ledgerMillis: this.#ledgerMillis,
      longestMillis: backoff.longestMillis,
    });
    this.subscribe((event) => this.#count(event));
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
    await this.#cipher.check();
    await this.#storage.open();
    if (isSender) {
      await this.#adoptContract();
    }
    globalThis.addEventListener?.('online', this.#wentOnline);
    if (isSender) {
      this.#sender.start();
    }
  }

  async #adoptContract() {
    try {
      await this.#storage.transact((transaction) => adopt(transaction, this.#client.rules.contract));
    } catch (failure) {
      this.#storage.stop();
      await this.#storage.close();
      throw failure;
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
    const row = await this.#newRow(operation);
    const isAllowed = allowDuplicate || this.#duplicateTypes.has(operation.type);
    const stored = await this.#storage.transact((transaction) => add(transaction, row, isAllowed, this.#maxOperations));
    this.#metrics.enqueued += stored === row ? 1 : 0;
    return this.#handle(stored);
  }

  /**
   * Stores operations that take effect together: they are sent one after the other, and when one
   * is refused or dropped, the rest is not sent, and the compensations of those that took effect are
   * sent in reverse. A group that is in the queue already is not stored again.
   * @param {Array<{operation: Operation, compensation?: Operation}>} members
   * @param {{allowDuplicate?: boolean}} [options]
   * @returns {Promise<{group: string, handles: import('./index.js').QueueHandle[]}>}
   */
  async enqueueGroup(members, { allowDuplicate = false } = {}) {
    const group = randomUuid();
    /** @type {StoredRow[]} */
    const rows = [];
    for (const { operation, compensation } of members) {
      const row = { ...(await this.#newRow(operation)), groupId: group };
      row.compensation = compensation && (await this.#newRow(compensation));
      rows.push(row);
    }
    const stored = await this.#storage.transact(async (transaction) => {
      const isAllowed = (/** @type {string} */ type) => allowDuplicate || this.#duplicateTypes.has(type);
      return (await storedGroup(transaction, rows)) ?? addGroup(transaction, rows, isAllowed, this.#maxOperations);
    });
    this.#metrics.enqueued += stored === rows ? rows.length : 0;
    return { group: stored[0]?.groupId ?? group, handles: stored.map((row) => this.#handle(row)) };
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
    const row = await this.#storage.finished(id, signal);
    if (row.isUnreadable) {
      throw new OperationStateError(id, 'cannot be read');
    }
    const answer = await this.#cipher.openAnswer(id, row.result?.answer);
    const result = /** @type {NonNullable<StoredRow['result']>} */ (row.result);
    return resultOfRow({ ...(await this.#cipher.open(row)), result: { ...result, answer } });
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
    // A row that cannot be opened is shown with the origin alone.
    const opened = await Promise.all(rows.map((row) => this.#cipher.open(row).catch(() => row)));
    return opened.sort((a, b) => Number(a.seq) - Number(b.seq)).map(shown);
  }

  /** Returns how many operations there are of each state, for a user interface. */
  async counts() {
    return this.#storage.read(async (transaction) => ({
      pending: await transaction.count('pending'),
      sending: await transaction.count('sending'),
      failed: await transaction.count('failed'),
      done: await transaction.count('done'),
    }));
  }

  /** Returns what this queue did since it was opened. */
  metrics() {
    return { ...this.#metrics };
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
      const row = await failedRow(transaction, id);
      if (isForgotten(row, this.#client, this.#clock.now()) && !isChecked && !this.#hasLookup) {
        throw new OperationStateError(id, 'may have taken effect, and the server may execute it again: check, then pass isChecked');
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
      const found = await failedRow(transaction, id);
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
    const bytes = bytesOf(body);
    for (;;) {
      const { row, handled } = await this.#change(id, bytes);
      if (handled) {
        return this.#handle(row);
      }
    }
  }

  /**
   * @param {string} id
   * @param {Uint8Array} body
   * @returns {Promise<{row: StoredRow, handled: boolean}>} not handled if another change came in between
   */
  async #change(id, body) {
    const last = await this.#storage.read(async (transaction) => lastChange(transaction, await presentRow(transaction, id)));
    const changed = operationOf(await this.#cipher.open(last)).copy({ body });
    const later = { ...(await this.#newRow(changed)), behind: last.id };
    const { url, headers, body: sealed, isSealed } = await this.#cipher.seal({ ...newRow(changed, '', 0), id: last.id });
    return this.#storage.transact(async (transaction) => {
      const current = await lastChange(transaction, await presentRow(transaction, id));
      if (current.id !== last.id) {
        return { row: current, handled: false };
      }
      if (current.state === 'sending' || current.state === 'done') {
        throw new OperationStateError(current.id, `cannot be changed: it is ${current.state}`);
      }
      refuseIfReplaced(current);
      if (isWithoutEffect(current)) {
        renew(current);
        Object.assign(current, { url, headers, body: sealed, isSealed, fingerprint: later.fingerprint });
        await transaction.put(current);
        return { row: current, handled: true };
      }
      if (current.groupId !== undefined) {
        throw new OperationStateError(id, 'may have been sent, and others of its group follow: resend or drop it');
      }
      await transaction.put(later);
      return { row: later, handled: true };
    });
  }

  /**
   * Removes a failed operation, or one that was never sent; the rest of its group is undone.
   * @param {string} id
   */
  async drop(id) {
    await this.#storage.transact(async (transaction) => {
      const row = await presentRow(transaction, id);
      if (row.state !== 'failed' && !isWithoutEffect(row)) {
        throw new OperationStateError(id, `cannot be dropped: it is ${row.state}, and its outcome is not known`);
      }
      if (row.groupId !== undefined && !row.isUndone) {
        await requireNoneSending(transaction, row);
        await undo(transaction, row, this.#clock.now());
      }
      await transaction.remove(id);
    });
  }

  /** Continues after a 401 or 403: the next request asks the client for its credentials. */
  async credentialsChanged() {
    await this.#storage.transact(async (transaction) => {
      await transaction.putSetting(CREDENTIALS, Number((await transaction.setting(CREDENTIALS)) ?? 0) + 1);
      await transaction.putSetting(PARKED, {});
    });
    this.#sender.wake();
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
    const deadline = elapsedMillis(this.#clock) + deadlineMillis;
    for (;;) {
      const change = new AbortController();
      const stop = this.subscribe(() => change.abort());
      const left = await this.#storage.read(
        async (transaction) => (await transaction.count('pending')) + (await transaction.count('sending')),
      );
      const rest = deadline - elapsedMillis(this.#clock);
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
   * @param {string} name
   * @param {unknown} value
   */
  async #set(name, value) {
    await this.#storage.transact((transaction) => transaction.putSetting(name, value));
    this.#sender.wake();
  }

  /** @param {Operation} operation */
  async #newRow(operation) {
    return this.#cipher.seal(newRow(operation, await this.#cipher.fingerprint(operation), this.#clock.now()));
  }

  /** @param {QueueEvent} event */
  #count(event) {
    if (event.type === 'done' || event.type === 'failed') {
      this.#metrics[event.type]++;
    }
    if (event.type === 'done' && event.operation.isReplayed) {
      this.#metrics.replayed++;
    }
  }

  /**
   * @param {StoredRow} row
   * @returns {import('./index.js').QueueHandle}
   */
  #handle(row) {
    return { id: row.id, key: row.key, result: (options) => this.awaitResult(row.id, options) };
  }
}
