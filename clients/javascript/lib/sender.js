/**
 * Sends the operations of a queue, while no other tab or process does.
 * @module
 */
import { Claims, FORGOTTEN } from './claims.js';
import { Connectivity, originOf } from './connectivity.js';
import { StorageError } from './errors.js';
import { shortened } from './limits.js';
import { finish, operationOf, storedAnswer, withoutBody } from './row.js';
import { decide } from './rules.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StorageTransaction} StorageTransaction
 * @typedef {import('./index.js').AttemptOutcome} AttemptOutcome
 * @typedef {import('./index.js').Decision} Decision
 */

const FAILURE_PAUSE_MILLIS = 1_000;
const LOOKUP_MILLIS = 5 * 60 * 1000;
/** @type {NonNullable<StoredRow['result']>} */
const FOUND = Object.freeze({ kind: 'replayed', mayHaveTakenEffect: true, reason: 'the lookup found its effect' });

/** The part of a queue that sends. */
export class Sender {
  #client;
  #clock;
  #storage;
  #completions;
  #cipher;
  #lookup;
  #metrics;
  #concurrency;
  #connectivity;
  #claims;
  #closing = new AbortController();
  /** Ends the attempts of the time in which it leads. */
  #aborting = new AbortController();
  #alarm = new AbortController();
  #closeMillis = 0;
  #isLeading = false;
  /** @type {Promise<void>} */
  #ended = Promise.resolve();
  /** @type {Map<string, {origin: string, ended: Promise<void>}>} */
  #inFlight = new Map();
  #mustReclaim = true;

  /**
   * @param {{
   *   client: import('./index.js').OnceClient,
   *   storage: import('./watched-storage.js').WatchedStorage,
   *   completions: import('./completion-writer.js').CompletionWriter,
   *   cipher: import('./cipher.js').Cipher,
   *   metrics: import('./index.js').QueueMetrics,
   *   lookup?: import('./index.js').QueueOptions['lookup'],
   *   concurrency: number,
   *   ledgerMillis: number,
   *   longestMillis: number,
   * }} settings
   */
  constructor({ client, storage, completions, cipher, metrics, lookup, concurrency, ledgerMillis, longestMillis }) {
    this.#client = client;
    this.#clock = client.clock;
    this.#storage = storage;
    this.#completions = completions;
    this.#cipher = cipher;
    this.#metrics = metrics;
    this.#lookup = lookup;
    this.#concurrency = concurrency;
    this.#connectivity = new Connectivity(client.clock, (failures) => completions.pause(failures), (event) => storage.emit(event));
    const hasLookup = lookup !== undefined;
    this.#claims = new Claims({ client, completions, connectivity: this.#connectivity, hasLookup, ledgerMillis, longestMillis });
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
    this.#connectivity.wentOnline();
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
    const closing = this.#closing.signal;
    while (!closing.aborted) {
      try {
        await this.#storage.lead(closing, (lost) => this.#leadUntil(lost));
      } catch (failure) {
        this.#storage.emit({ type: 'error', failure });
      }
      await this.#clock.sleep(FAILURE_PAUSE_MILLIS, closing);
    }
  }

  /** @param {AbortSignal} [lost] aborted when another tab may lead, although this one has not ended */
  async #leadUntil(lost) {
    const aborting = new AbortController();
    const stop = () => {
      aborting.abort(new Error('another tab sends now'));
      this.wake();
    };
    lost?.addEventListener('abort', stop, { once: true });
    this.#aborting = aborting;
    this.#mustReclaim = true;
    this.#isLeading = true;
    try {
      await this.#run(aborting);
    } finally {
      this.#isLeading = false;
      lost?.removeEventListener('abort', stop);
    }
  }

  /** @param {AbortController} aborting */
  async #run(aborting) {
    while (!this.#closing.signal.aborted && !aborting.signal.aborted) {
      this.#alarm = new AbortController();
      let pause;
      try {
        pause = await this.#fill();
      } catch (failure) {
        this.#storage.emit({ type: 'error', failure });
        pause = FAILURE_PAUSE_MILLIS;
        this.#alarm = new AbortController(); // What fails now fails again.
      }
      if (!this.#closing.signal.aborted && !aborting.signal.aborted) {
        await this.#clock.sleep(pause, this.#alarm.signal);
      }
    }
    const ended = Promise.allSettled([...this.#inFlight.values()].map((each) => each.ended));
    const deadline = new AbortController();
    if (!aborting.signal.aborted) {
      await Promise.race([ended, this.#clock.sleep(this.#closeMillis, deadline.signal)]);
      deadline.abort();
      aborting.abort(new Error('the queue is closed'));
    }
    await ended;
  }

  /**
   * Starts as many attempts as are allowed.
   * @returns {Promise<number>} milliseconds until there may be more to do
   */
  async #fill() {
    while (this.#inFlight.size < this.#concurrency && !this.#closing.signal.aborted && !this.#aborting.signal.aborted) {
      const next = await this.#claimNext();
      if (typeof next === 'number') {
        return next;
      }
      this.#connectivity.sending();
      this.#inFlight.set(next.id, { origin: originOf(next), ended: this.#send(next) });
    }
    return Infinity;
  }

  /** @returns {Promise<StoredRow | number>} */
  async #claimNext() {
    const mustReclaim = this.#mustReclaim;
    this.#mustReclaim = false;
    const inFlight = [...this.#inFlight.values()];
    try {
      return await this.#storage.transact(async (transaction) => {
        if (mustReclaim) {
          await this.#claims.reclaim(transaction, (row) => this.#inFlight.has(row.id));
        }
        return this.#claims.next(transaction, (row) => inFlight.some((each) => each.origin === originOf(row)));
      });
    } catch (failure) {
      this.#mustReclaim = true; // What was reclaimed is rolled back.
      throw failure;
    }
  }

  /** @param {StoredRow} row */
  async #send(row) {
    try {
      await this.#attempt(row, this.#aborting.signal);
      this.#inFlight.delete(row.id);
    } catch (failure) {
      this.#storage.emit({ type: 'error', failure });
      await this.#clock.sleep(FAILURE_PAUSE_MILLIS, this.#aborting.signal);
      this.#inFlight.delete(row.id);
      this.#mustReclaim = true; // It is still stored as being sent.
    }
    this.wake();
  }

  /**
   * @param {StoredRow} row
   * @param {AbortSignal} signal
   */
  async #attempt(row, signal) {
    let operation;
    try {
      operation = operationOf(await this.#cipher.open(row));
    } catch (failure) {
      // Of a version that allowed more, or sealed with another key. Sending it for ever would do no good.
      const outcome = { failure: shortened(String(failure)), isSent: false };
      await this.#settle(row, outcome, { decision: 'unknown', advice: 'CHECK_FIRST' }, signal);
      return;
    }
    if (row.isForgotten && !(await this.#isToBeSent(row, operation, signal))) {
      return;
    }
    if (row.link !== undefined) {
      const { isInFlight, atLeastMillis, outcome } = await this.#client.status(operation, row.link, { signal });
      if (isInFlight) {
        this.#connectivity.note(row, outcome);
        const isAnswered = outcome.answer !== undefined;
        await this.#settle(row, outcome, { decision: isAnswered ? 'follow' : 'retry', link: row.link, atLeastMillis }, signal);
        return;
      }
    }
    const outcome = await this.#client.attempt(operation, { signal });
    this.#metrics.attempts++;
    this.#metrics.unanswered += outcome.answer === undefined ? 1 : 0;
    this.#connectivity.note(row, outcome);
    await this.#settle(row, outcome, decide(this.#client.rules, row.method, outcome, this.#clock.now()), signal);
  }

  /**
   * Asks what became of an operation whose key the server may have forgotten.
   * @param {StoredRow} row
   * @param {import('./operation.js').Operation} operation
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>} whether it did not take effect, and is sent now
   */
  async #isToBeSent(row, operation, signal) {
    /** @type {'TOOK_EFFECT' | 'DID_NOT_TAKE_EFFECT' | 'UNKNOWN' | undefined} */
    let found;
    try {
      found = await this.#lookUp(operation, signal);
    } catch (failure) {
      const outcome = { failure: shortened(String(failure)), isSent: false, isLocal: true };
      await this.#settle(row, outcome, { decision: 'retry', atLeastMillis: 0 }, signal);
      return false;
    }
    const now = this.#clock.now();
    await this.#store(signal, async (transaction) => {
      const current = await this.#claimed(transaction, row, found === 'TOOK_EFFECT');
      if (found === 'TOOK_EFFECT') {
        await transaction.putSuccess(row.key, now);
      }
      if (current === undefined) {
        found = undefined;
      } else if (found === 'DID_NOT_TAKE_EFFECT') {
        Object.assign(current, { firstSentAt: now, wasSent: false, mayHaveTakenEffect: false, link: undefined });
        row.link = undefined;
        await transaction.put(current);
      } else if (found === 'TOOK_EFFECT') {
        finish(current, 'done', FOUND, now);
        await transaction.put(current);
      } else {
        await this.#completions.fail(transaction, current, FORGOTTEN, now);
      }
    });
    return found === 'DID_NOT_TAKE_EFFECT';
  }

  /**
   * @param {import('./operation.js').Operation} operation
   * @param {AbortSignal} signal
   */
  async #lookUp(operation, signal) {
    const limit = new AbortController();
    const ended = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      void this.#clock.sleep(LOOKUP_MILLIS, limit.signal).then(() => reject(new Error(`no outcome within ${LOOKUP_MILLIS} ms`)));
    });
    ended.catch(() => {}); // Awaited below, unless the lookup ends first.
    try {
      return await Promise.race([this.#lookup?.(operation), /** @type {Promise<never>} */ (ended)]);
    } finally {
      limit.abort();
    }
  }

  /**
   * Returns the row of a claim; undefined if another sender has claimed it since, and settles it.
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   * @param {boolean} isSuccess whether it took effect, which also ends a row that waits to be claimed again
   */
  async #claimed(transaction, row, isSuccess) {
    const current = await transaction.get(row.id);
    const isOpen = current?.state === 'sending' || (isSuccess && current?.state === 'pending' && current.key === row.key);
    return isOpen && current.fence === row.fence && !current.isUnreadable ? current : undefined;
  }

  /**
   * Stores what follows from an attempt, all at once.
   * @param {StoredRow} row
   * @param {AttemptOutcome} outcome
   * @param {Decision} decision
   * @param {AbortSignal} signal
   */
  async #settle(row, outcome, decision, signal) {
    const now = this.#clock.now();
    const answer = await this.#cipher.sealAnswer(row.id, storedAnswer(outcome.answer));
    await this.#store(signal, async (transaction, isFull) => {
      if (decision.decision === 'done') {
        await transaction.putSuccess(row.key, now);
      }
      const current = await this.#claimed(transaction, row, decision.decision === 'done');
      if (current !== undefined) {
        // What became of it matters more than the answer.
        const kept = isFull && answer !== undefined ? withoutBody(answer) : answer;
        await this.#completions.conclude(transaction, current, outcome, decision, now, kept);
      }
    });
  }

  /**
   * Runs a transaction until it succeeds: what is known of an operation is not asked for again. When
   * the sender ends, the operation is still stored as being sent, and the next sender sends it again.
   * @param {AbortSignal} signal
   * @param {(transaction: StorageTransaction, isFull: boolean) => Promise<void>} work
   */
  async #store(signal, work) {
    for (let isFull = false; ; ) {
      try {
        await this.#storage.transact((transaction) => work(transaction, isFull));
        return;
      } catch (failure) {
        this.#storage.emit({ type: 'error', failure });
        if (signal.aborted) {
          return;
        }
        if (failure instanceof StorageError && failure.isFull && !isFull) {
          isFull = true;
        } else {
          await this.#clock.sleep(FAILURE_PAUSE_MILLIS, signal);
        }
      }
    }
  }
}
