/**
 * Sends the operations of a queue, while no other tab or process does.
 * @module
 */
import { finish, note } from './completion-writer.js';
import { PARKED, PAUSED, isForgotten, isInLedger, operationOf } from './row.js';
import { decide } from './rules.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StorageTransaction} StorageTransaction
 * @typedef {import('./index.js').AttemptOutcome} AttemptOutcome
 * @typedef {import('./index.js').Decision} Decision
 * @typedef {import('./index.js').QueueEvent} QueueEvent
 */

const PURGE_PERIOD_MILLIS = 10 * 60 * 1000;
const LEASE_MARGIN_MILLIS = 10_000;
const STORAGE_PAUSE_MILLIS = 1_000;
const PAGE = 20;
const MAX_FAILURES_OF_OUTAGE = 3;
/** The result of an operation that must not be sent without a check. @type {NonNullable<StoredRow['result']>} */
const FORGOTTEN = Object.freeze({
  kind: 'unknown',
  advice: 'CHECK_FIRST',
  mayHaveTakenEffect: true,
  reason: 'the server may have forgotten the key since the first attempt',
});
/** @type {NonNullable<StoredRow['result']>} */
const FOUND = Object.freeze({ kind: 'replayed', mayHaveTakenEffect: true, reason: 'the lookup found its effect' });

/** The part of a queue that sends. */
export class Sender {
  #client;
  #clock;
  #storage;
  #completions;
  #lookup;
  #concurrency;
  #ledgerMillis;
  /** Names this sender in leases. */
  #name;
  #closing = new AbortController();
  #aborting = new AbortController();
  #alarm = new AbortController();
  #closeMillis = 0;
  #isLeading = false;
  /** @type {Promise<void>} */
  #ended = Promise.resolve();
  /** @type {Map<string, {origin: string, ended: Promise<void>}>} */
  #inFlight = new Map();
  /** What is known of each server: `until` is when to try it again after it could not be reached.
   * @type {Map<string, {isReachable: boolean, failures: number, until: number}>} */
  #servers = new Map();
  #onlineAt = 0;
  #mustReclaim = true;
  #purgedAt = 0;

  /**
   * @param {{
   *   client: import('./index.js').OnceClient,
   *   storage: import('./watched-storage.js').WatchedStorage,
   *   completions: import('./completion-writer.js').CompletionWriter,
   *   lookup?: import('./index.js').QueueOptions['lookup'],
   *   concurrency: number,
   *   ledgerMillis: number,
   *   name: string,
   * }} settings
   */
  constructor({ client, storage, completions, lookup, concurrency, ledgerMillis, name }) {
    this.#client = client;
    this.#clock = client.clock;
    this.#storage = storage;
    this.#completions = completions;
    this.#lookup = lookup;
    this.#concurrency = concurrency;
    this.#ledgerMillis = ledgerMillis;
    this.#name = name;
  }

  /** Whether it sends now; else another does, or it is not started. */
  get isLeading() {
    return this.#isLeading;
  }

  start() {
    this.#ended = this.#lead();
  }

  /** Looks for operations to send: something has changed. */
  wake() {
    this.#alarm.abort();
  }

  /** The machine has a network again: servers are tried at once. */
  wentOnline() {
    this.#onlineAt = this.#clock.now();
    this.#servers.clear();
    this.wake();
  }

  /**
   * Stops; attempts in flight may end until the deadline.
   * @param {number} deadlineMillis
   */
  async stop(deadlineMillis) {
    this.#closeMillis = deadlineMillis;
    this.#closing.abort();
    this.wake();
    await this.#ended;
  }

  async #lead() {
    try {
      await this.#storage.lead(this.#closing.signal, async () => {
        this.#isLeading = true;
        this.#mustReclaim = true;
        await this.#run();
        this.#isLeading = false;
      });
    } catch (failure) {
      this.#storage.emit({ type: 'error', failure });
    }
  }

  async #run() {
    while (!this.#closing.signal.aborted) {
      this.#alarm = new AbortController();
      let pause;
      try {
        pause = await this.#fill();
      } catch (failure) {
        this.#storage.emit({ type: 'error', failure });
        pause = STORAGE_PAUSE_MILLIS;
      }
      await this.#clock.sleep(pause, this.#alarm.signal);
    }
    const ended = Promise.allSettled([...this.#inFlight.values()].map((each) => each.ended));
    const deadline = new AbortController();
    await Promise.race([ended, this.#clock.sleep(this.#closeMillis, deadline.signal)]);
    deadline.abort();
    this.#aborting.abort(new Error('the queue is closed'));
    await ended;
  }

  /**
   * Starts as many attempts as are allowed.
   * @returns {Promise<number>} milliseconds until there may be more to do
   */
  async #fill() {
    while (this.#inFlight.size < this.#concurrency && !this.#closing.signal.aborted) {
      const next = await this.#claimNext();
      if (typeof next === 'number') {
        return next;
      }
      this.#inFlight.set(next.id, { origin: originOf(next), ended: this.#send(next) });
    }
    return Infinity;
  }

  /** @returns {Promise<StoredRow | number>} */
  async #claimNext() {
    try {
      return await this.#storage.transact((transaction) => this.#claim(transaction));
    } catch (failure) {
      this.#mustReclaim = true; // What was reclaimed is rolled back.
      throw failure;
    }
  }

  /** @param {StoredRow} row */
  async #send(row) {
    try {
      await this.#attempt(row);
      this.#inFlight.delete(row.id);
    } catch (failure) {
      this.#inFlight.delete(row.id);
      this.#mustReclaim = true; // It is still stored as being sent.
      this.#storage.emit({ type: 'error', failure });
    }
    this.wake();
  }

  /**
   * Leases the next operation.
   * @param {StorageTransaction} transaction
   * @returns {Promise<StoredRow | number>} milliseconds if there is none now
   */
  async #claim(transaction) {
    const now = this.#clock.now();
    if (this.#mustReclaim) {
      this.#mustReclaim = false;
      await this.#reclaim(transaction, now);
    }
    if (now - this.#purgedAt >= PURGE_PERIOD_MILLIS) {
      await this.#purge(transaction, now);
      this.#purgedAt = now;
    }
    const parked = /** @type {{status?: number} | undefined} */ (await transaction.setting(PARKED));
    const isHeld = parked?.status !== undefined || (await transaction.setting(PAUSED)) === true;
    if (isHeld || globalThis.navigator?.onLine === false) {
      return Infinity;
    }
    let pause = Infinity;
    const lanes = new Set();
    for (let after = 0; ; ) {
      const page = await transaction.where('state', 'pending', { after, limit: PAGE });
      for (const row of page) {
        after = Number(row.seq);
        const isBehind = row.lane !== undefined && lanes.has(row.lane);
        lanes.add(row.lane);
        const wait = isBehind || (await this.#isBlocked(transaction, row)) ? Infinity : this.#wait(row, now);
        if (wait === 0 && (await this.#lease(transaction, row, now))) {
          return row;
        }
        pause = Math.min(pause, wait || Infinity);
      }
      if (page.length < PAGE) {
        return pause;
      }
    }
  }

  /**
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   */
  async #isBlocked(transaction, row) {
    if (row.isUnreadable) {
      return true;
    }
    if (row.lane !== undefined && (await transaction.where('openLane', row.lane, { limit: 1 }))[0].id !== row.id) {
      return true;
    }
    if (row.groupId !== undefined && (await isBehindMember(transaction, row, row.groupId))) {
      return true;
    }
    const first = row.behind === undefined ? undefined : await transaction.get(row.behind);
    return first !== undefined && first.state !== 'done' && first.supersededBy === undefined;
  }

  /**
   * Returns the milliseconds until an operation may be sent; Infinity if something else happens before.
   * @param {StoredRow} row
   * @param {number} now
   */
  #wait(row, now) {
    const origin = originOf(row);
    const own = Math.max(0, row.nextAttemptAt - now);
    const server = this.#servers.get(origin);
    if (server !== undefined && !server.isReachable) {
      const isProbed = [...this.#inFlight.values()].some((each) => each.origin === origin);
      return isProbed ? Infinity : Math.max(own, server.until - now);
    }
    // One that fails again and again, while others are answered, keeps to its own pauses.
    const isBack = server !== undefined || this.#onlineAt > (row.triedAt ?? 0);
    return row.waitsFor === 'network' && isBack && row.failures <= MAX_FAILURES_OF_OUTAGE ? 0 : own;
  }

  /**
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   * @param {number} now
   * @returns {Promise<boolean>} false if it must not be sent
   */
  async #lease(transaction, row, now) {
    if (await isInLedger(transaction, row.key, now - this.#ledgerMillis)) {
      finish(row, 'done', { kind: 'replayed', mayHaveTakenEffect: true, reason: 'its key has succeeded before' }, now);
      await transaction.put(row);
      return false;
    }
    if (isForgotten(row, this.#client.rules, now) && this.#lookup === undefined) {
      await this.#completions.fail(transaction, row, FORGOTTEN, now);
      return false;
    }
    row.state = 'sending';
    row.lease = { sender: this.#name, end: now + this.#client.timeoutMillis + LEASE_MARGIN_MILLIS };
    row.wasSent = row.firstSentAt !== undefined;
    row.firstSentAt ??= now;
    row.triedAt = now;
    await transaction.put(row);
    return true;
  }

  /** @param {StoredRow} row */
  async #attempt(row) {
    const { signal } = this.#aborting;
    let operation;
    try {
      operation = operationOf(row);
    } catch (failure) {
      // Of a version that allowed more. Sent as it is, or for ever again, it would do no good.
      await this.#settle(row, { failure: String(failure), isSent: false }, { decision: 'unknown', advice: 'CHECK_FIRST' });
      return;
    }
    if (isForgotten(row, this.#client.rules, this.#clock.now()) && !(await this.#isToBeSent(row, operation))) {
      return;
    }
    if (row.link !== undefined) {
      const { isInFlight, atLeastMillis, outcome } = await this.#client.status(operation, row.link, { signal });
      if (isInFlight) {
        this.#noteServer(row, outcome);
        const isAnswered = outcome.answer !== undefined;
        await this.#settle(row, outcome, { decision: isAnswered ? 'follow' : 'retry', link: row.link, atLeastMillis });
        return;
      }
    }
    const outcome = await this.#client.attempt(operation, { signal });
    this.#noteServer(row, outcome);
    await this.#settle(row, outcome, decide(this.#client.rules, row.method, outcome, this.#clock.now()));
  }

  /**
   * Asks what became of an operation whose key the server may have forgotten.
   * @param {StoredRow} row
   * @param {import('./operation.js').Operation} operation
   * @returns {Promise<boolean>} whether it did not take effect, and is sent now
   */
  async #isToBeSent(row, operation) {
    let found;
    try {
      found = await this.#lookup?.(operation);
    } catch (failure) {
      await this.#settle(row, { failure: String(failure), isSent: false }, { decision: 'retry', atLeastMillis: 0 });
      return false;
    }
    const now = this.#clock.now();
    await this.#storage.transact(async (transaction) => {
      const current = await transaction.get(row.id);
      if (current === undefined || !this.#isLeasedHere(current)) {
        return;
      }
      if (found === 'DID_NOT_TAKE_EFFECT') {
        Object.assign(current, { firstSentAt: now, mayHaveTakenEffect: false, link: undefined });
        row.link = undefined;
        await transaction.put(current);
      } else if (found === 'TOOK_EFFECT') {
        finish(current, 'done', FOUND, now);
        await transaction.putSuccess(row.key, now);
        await transaction.put(current);
      } else {
        await this.#completions.fail(transaction, current, FORGOTTEN, now);
      }
    });
    return found === 'DID_NOT_TAKE_EFFECT';
  }

  /** @param {StoredRow} row */
  #isLeasedHere(row) {
    return row.state === 'sending' && row.lease?.sender === this.#name;
  }

  /**
   * Stores what follows from an attempt, all at once.
   * @param {StoredRow} row
   * @param {AttemptOutcome} outcome
   * @param {Decision} decision
   */
  async #settle(row, outcome, decision) {
    const now = this.#clock.now();
    await this.#storage.transact(async (transaction) => {
      if (decision.decision === 'done') {
        await transaction.putSuccess(row.key, now);
      }
      const current = await transaction.get(row.id);
      // Another sender has taken over, and settles it.
      if (current !== undefined && this.#isLeasedHere(current)) {
        await this.#completions.conclude(transaction, current, outcome, decision, now);
      }
    });
  }

  /**
   * Makes operations sendable that an earlier sender, now ended, was sending.
   * @param {StorageTransaction} transaction
   * @param {number} now
   */
  async #reclaim(transaction, now) {
    for (const row of await transaction.where('state', 'sending')) {
      if (!this.#inFlight.has(row.id)) {
        const outcome = { failure: 'the sender ended during the attempt', isSent: true };
        const decision = decide(this.#client.rules, row.method, outcome, now);
        note(row, outcome, now);
        if (decision.decision === 'retry') {
          await this.#completions.later(transaction, row, now, 'server');
        } else {
          const reason = outcome.failure;
          await this.#completions.fail(transaction, row, { kind: 'unknown', advice: 'CHECK_FIRST', mayHaveTakenEffect: true, reason }, now);
        }
      }
    }
  }

  /**
   * Removes results and successes that are older than the ledger goes back.
   * @param {StorageTransaction} transaction
   * @param {number} now
   */
  async #purge(transaction, now) {
    const before = now - this.#ledgerMillis;
    await transaction.removeSuccesses(before);
    for (const row of await transaction.where('state', 'done')) {
      if (Number(row.finishedAt) < before) {
        await transaction.remove(row.id);
      }
    }
  }

  /**
   * @param {StoredRow} row
   * @param {AttemptOutcome} outcome
   */
  #noteServer(row, outcome) {
    const origin = originOf(row);
    const now = this.#clock.now();
    const { failures, until, isReachable: wasReachable } = this.#servers.get(origin) ?? { failures: 0, until: 0, isReachable: true };
    const isReachable = outcome.answer !== undefined;
    if (isReachable) {
      this.#servers.set(origin, { isReachable, failures: 0, until: 0 });
    } else if (now >= until) {
      // Attempts that fail together are one failure of the server.
      this.#servers.set(origin, { isReachable, failures: failures + 1, until: now + this.#completions.pause(failures + 1) });
    }
    if (wasReachable !== isReachable) {
      this.#storage.emit({ type: isReachable ? 'online' : 'offline', origin });
    }
  }
}

/**
 * @param {StorageTransaction} transaction
 * @param {StoredRow} row
 * @param {string} groupId
 */
async function isBehindMember(transaction, row, groupId) {
  const members = await transaction.where('groupId', groupId);
  return members.some((each) => Number(each.seq) < Number(row.seq) && each.state !== 'done');
}

/** @param {StoredRow} row */
function originOf(row) {
  return new URL(row.url).origin;
}
