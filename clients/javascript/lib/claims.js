/**
 * Which operation is sent next.
 * @module
 */
import { elapsedMillis } from './clock.js';
import { note } from './completion-writer.js';
import { requireContract } from './contract.js';
import { isBehindMember, isGroupOpen } from './groups.js';
import { LONGEST_MILLIS } from './retry-after.js';
import { CREDENTIALS, PARKED, PAUSED, finish, isForgotten, isInLedger } from './row.js';
import { decide } from './rules.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StorageTransaction} StorageTransaction
 */

const PURGE_PERIOD_MILLIS = 10 * 60 * 1000;
/** How many rows one transaction removes at most. */
const PURGE_LIMIT = 500;
const PAGE = 20;
/** The result of an operation that must not be sent without a check. @type {NonNullable<StoredRow['result']>} */
export const FORGOTTEN = Object.freeze({
  kind: 'unknown',
  advice: 'CHECK_FIRST',
  mayHaveTakenEffect: true,
  reason: 'the server may have forgotten the key since the first attempt',
});

/** Claims operations, in the transactions of its caller. */
export class Claims {
  #client;
  #completions;
  #connectivity;
  #hasLookup;
  #ledgerMillis;
  #longestMillis;
  #purgedAt = -Infinity;

  /**
   * @param {{
   *   client: import('./index.js').OnceClient,
   *   completions: import('./completion-writer.js').CompletionWriter,
   *   connectivity: import('./connectivity.js').Connectivity,
   *   hasLookup: boolean,
   *   ledgerMillis: number,
   *   longestMillis: number,
   * }} settings `longestMillis` is the longest pause
   */
  constructor({ client, completions, connectivity, hasLookup, ledgerMillis, longestMillis }) {
    this.#client = client;
    this.#completions = completions;
    this.#connectivity = connectivity;
    this.#hasLookup = hasLookup;
    this.#ledgerMillis = ledgerMillis;
    this.#longestMillis = longestMillis;
  }

  /**
   * Claims the next operation.
   * @param {StorageTransaction} transaction
   * @param {(row: StoredRow) => boolean} isProbed whether another operation is being sent to its server
   * @returns {Promise<StoredRow | number>} milliseconds if there is none now
   */
  async next(transaction, isProbed) {
    await requireContract(transaction, this.#client.rules.contract);
    const now = this.#client.clock.now();
    await this.#purgeNowAndThen(transaction, now);
    const parked = /** @type {{status?: number} | undefined} */ (await transaction.setting(PARKED));
    if (parked?.status !== undefined || (await transaction.setting(PAUSED)) === true) {
      return Infinity;
    }
    const offline = this.#connectivity.offlineMillis(this.#longestMillis);
    if (offline > 0) {
      return offline;
    }
    let pause = Infinity;
    const orderingKeys = new Set();
    for (let after = 0; ; ) {
      const page = await transaction.where('state', 'pending', { after, limit: PAGE });
      for (const row of page) {
        after = Number(row.seq);
        if (row.isUnreadable) {
          continue;
        }
        const orderingKey = orderingKeyOf(row);
        const isBehind = orderingKey !== undefined && orderingKeys.has(orderingKey);
        orderingKeys.add(orderingKey);
        const wait = isBehind ? Infinity : this.#connectivity.waitMillis(row, this.#ownPause(row, now), isProbed(row));
        const isDue = wait <= 0 && !(await isBlocked(transaction, row));
        if (isDue && (await this.#lease(transaction, row, now))) {
          return row;
        }
        pause = wait > 0 ? Math.min(pause, wait) : pause;
      }
      if (page.length < PAGE) {
        return pause;
      }
    }
  }

  /**
   * Makes operations sendable that an earlier sender, now ended, was sending.
   * @param {StorageTransaction} transaction
   * @param {(row: StoredRow) => boolean} isInFlight whether this sender is sending it
   */
  async reclaim(transaction, isInFlight) {
    const now = this.#client.clock.now();
    for (const row of await transaction.where('state', 'sending')) {
      if (isInFlight(row) || row.isUnreadable) {
        continue;
      }
      const outcome = { failure: 'the sender ended during the attempt', isSent: true };
      const { decision } = decide(this.#client.rules, row.method, outcome, now);
      note(row, outcome, now);
      if (decision === 'retry' || this.#hasLookup) {
        await this.#completions.later(transaction, row, now, 'server');
      } else {
        const reason = outcome.failure;
        await this.#completions.fail(transaction, row, { kind: 'unknown', advice: 'CHECK_FIRST', mayHaveTakenEffect: true, reason }, now);
      }
    }
  }

  /**
   * A pause that is longer than any was planned before the clock was set back: it is over.
   * @param {StoredRow} row
   * @param {number} now
   */
  #ownPause(row, now) {
    const left = row.nextAttemptAt - now;
    return left > LONGEST_MILLIS + this.#longestMillis ? 0 : Math.max(0, left);
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
    row.isForgotten = isForgotten(row, this.#client, now);
    if (row.isForgotten && !this.#hasLookup) {
      await this.#completions.fail(transaction, row, FORGOTTEN, now);
      return false;
    }
    row.state = 'sending';
    row.fence = (row.fence ?? 0) + 1;
    row.credentials = (await transaction.setting(CREDENTIALS)) ?? 0;
    row.wasSent = row.firstSentAt !== undefined;
    row.firstSentAt ??= now;
    row.triedAt = now;
    await transaction.put(row);
    return true;
  }

  /**
   * Removes results and successes that are older than the ledger goes back, but none that a
   * compensation may need.
   * @param {StorageTransaction} transaction
   * @param {number} now
   */
  async #purgeNowAndThen(transaction, now) {
    const elapsed = elapsedMillis(this.#client.clock);
    if (elapsed - this.#purgedAt < PURGE_PERIOD_MILLIS) {
      return;
    }
    const before = now - this.#ledgerMillis;
    await transaction.removeSuccesses(before);
    const removed = (await this.#purge(transaction, 'done', before)) + (await this.#purge(transaction, 'failed', before));
    this.#purgedAt = removed < PURGE_LIMIT ? elapsed : -Infinity;
  }

  /**
   * @param {StorageTransaction} transaction
   * @param {'done' | 'failed'} state
   * @param {number} before
   */
  async #purge(transaction, state, before) {
    let removed = 0;
    for (let after = 0, page = []; removed < PURGE_LIMIT; ) {
      page = await transaction.where('state', state, { after, limit: PAGE });
      for (const row of page) {
        after = Number(row.seq);
        const isOver = Number(row.finishedAt) < before && (state === 'done' || row.isUnsent);
        if (isOver && !(await isGroupOpen(transaction, row))) {
          await transaction.remove(row.id);
          removed++;
        }
      }
      // Those that were stored later have ended later, too.
      if (page.length < PAGE || page.every((row) => row.createdAt >= before)) {
        break;
      }
    }
    return removed;
  }
}

/**
 * Returns the ordering key that an operation waits for; compensations have an order of their own.
 * @param {StoredRow} row
 */
function orderingKeyOf(row) {
  return row.compensates === undefined ? row.orderingKey : undefined;
}

/**
 * @param {StorageTransaction} transaction
 * @param {StoredRow} row
 */
async function isBlocked(transaction, row) {
  const orderingKey = orderingKeyOf(row);
  if (orderingKey !== undefined) {
    const [first] = await transaction.where('openOrderingKey', orderingKey, { limit: 1 });
    if (first !== undefined && first.id !== row.id) {
      return true;
    }
  }
  if (await isBehindMember(transaction, row)) {
    return true;
  }
  const first = row.behind === undefined ? undefined : await transaction.get(row.behind);
  return first !== undefined && first.state !== 'done' && first.supersededBy === undefined;
}
