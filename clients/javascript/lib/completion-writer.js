/**
 * Stores what follows from an attempt.
 * @module
 */
import { pauseMillis } from './backoff.js';
import { resultOf } from './client.js';
import { retryAfterMillis } from './retry-after.js';
import { PARKED, storedAnswer } from './row.js';
import { isReplayed, mayHaveTakenEffect } from './rules.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StorageTransaction} StorageTransaction
 * @typedef {import('./index.js').AttemptOutcome} AttemptOutcome
 * @typedef {import('./index.js').Decision} Decision
 * @typedef {import('./index.js').QueueEvent} QueueEvent
 */

const MAX_HISTORY = 20;

/** Turns the outcome of an attempt into the next state of its operation, in the transaction of its caller. */
export class CompletionWriter {
  #rules;
  #maxAttempts;
  #backoff;
  #random;

  /** @param {{rules: import('./index.js').RetryRules, maxAttempts: number, backoff: import('./index.js').Backoff, random: () => number}} settings */
  constructor({ rules, maxAttempts, backoff, random }) {
    this.#rules = rules;
    this.#maxAttempts = maxAttempts;
    this.#backoff = backoff;
    this.#random = random;
  }

  /**
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   * @param {AttemptOutcome} outcome
   * @param {Decision} decision
   * @param {number} now
   */
  async conclude(transaction, row, outcome, decision, now) {
    const mayHaveBefore = row.mayHaveTakenEffect;
    note(row, outcome, now);
    if (decision.decision === 'follow') {
      row.link = decision.link;
      await this.later(transaction, row, now + decision.atLeastMillis, 'server');
      return;
    }
    row.link = undefined;
    if (decision.decision === 'retry' && outcome.answer === undefined) {
      row.failures += 1;
      await this.later(transaction, row, now + this.pause(row.failures), 'network');
      return;
    }
    row.attempts += 1;
    row.failures = 0;
    if (decision.decision === 'retry') {
      const pause = Math.max(decision.atLeastMillis, this.pause(row.attempts));
      await this.#again(transaction, row, outcome, now, pause, 'unknown');
      return;
    }
    if (decision.decision === 'done') {
      const result = resultOf(this.#rules, decision, outcome, mayHaveBefore);
      finish(row, 'done', { ...result, answer: storedAnswer(result.answer) }, now);
      await transaction.put(row);
      return;
    }
    if (decision.advice === 'SIGN_IN' && this.#parks(row, outcome)) {
      row.attempts -= 1;
      await this.later(transaction, row, 0, 'server');
      await this.#park(transaction, row, outcome, now);
      return;
    }
    if (decision.advice === 'SEND_AGAIN') {
      // Nobody waits, so that "later" is the longest pause.
      const asked = (outcome.answer && retryAfterMillis(outcome.answer, now)) ?? 0;
      await this.#again(transaction, row, outcome, now, Math.max(asked, this.#backoff.longestMillis), decision.decision);
      return;
    }
    const result = resultOf(this.#rules, decision, outcome, mayHaveBefore);
    const reason = reasonOf(outcome);
    await this.fail(transaction, row, { ...result, answer: storedAnswer(result.answer), reason }, now);
  }

  /**
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   * @param {number} at
   * @param {'server' | 'network'} waitsFor
   */
  async later(transaction, row, at, waitsFor) {
    Object.assign(row, { state: 'pending', lease: undefined, nextAttemptAt: at, waitsFor });
    await transaction.put(row);
  }

  /**
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   * @param {NonNullable<StoredRow['result']>} result
   * @param {number} now
   */
  async fail(transaction, row, result, now) {
    finish(row, 'failed', result, now);
    if (!result.mayHaveTakenEffect) {
      // A change of it takes its place, and does not wait for a decision about it.
      row.supersededBy = (await transaction.where('behind', row.id, { limit: 1 }))[0]?.id;
    }
    await transaction.put(row);
    if (row.groupId !== undefined && !result.mayHaveTakenEffect) {
      await this.undo(transaction, row, now);
    }
  }

  /** @param {number} attempt */
  pause(attempt) {
    return pauseMillis(this.#backoff, attempt, this.#random);
  }

  /**
   * Sends again later, or gives up.
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   * @param {AttemptOutcome} outcome
   * @param {number} now
   * @param {number} pause
   * @param {'refused' | 'unknown'} kind
   */
  async #again(transaction, row, outcome, now, pause, kind) {
    if (row.attempts < this.#maxAttempts) {
      await this.later(transaction, row, now + pause, 'server');
      return;
    }
    const answer = storedAnswer(outcome.answer);
    const reason = `${row.attempts} attempts: ${reasonOf(outcome)}`;
    const { mayHaveTakenEffect: mayHave } = row;
    await this.fail(transaction, row, { kind, advice: 'SEND_AGAIN', answer, mayHaveTakenEffect: mayHave, reason }, now);
  }

  /**
   * A 401 is about the caller, not about the operation. So is a 403, until new credentials do not help
   * either: then it is about this operation, and the others need not wait for it.
   * @param {StoredRow} row
   * @param {AttemptOutcome} outcome
   */
  #parks(row, outcome) {
    const answer = /** @type {import('./answer.js').Answer} */ (outcome.answer);
    return !isReplayed(this.#rules, answer) && (answer.status === 401 || row.signInRefusals === 0);
  }

  /**
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   * @param {AttemptOutcome} outcome
   * @param {number} now
   */
  async #park(transaction, row, outcome, now) {
    const parked = /** @type {{changedAt?: number} | undefined} */ (await transaction.setting(PARKED));
    // An answer to credentials that have been changed since says nothing about the new ones.
    if (Number(row.triedAt) >= (parked?.changedAt ?? 0)) {
      row.signInRefusals += 1;
      await transaction.put(row);
      await transaction.putSetting(PARKED, { status: outcome.answer?.status, since: now });
    }
  }

  /**
   * Ends a group of which one member did not take effect.
   * @param {StorageTransaction} transaction
   * @param {StoredRow} refused
   * @param {number} now
   */
  async undo(transaction, refused, now) {
    const members = await transaction.where('groupId', /** @type {string} */ (refused.groupId));
    for (const row of members) {
      row.isUndone = true;
      if (row.state === 'pending') {
        const reason = `operation ${refused.id} of its group did not take effect`;
        finish(row, 'failed', { kind: 'refused', advice: 'NEW_OPERATION', mayHaveTakenEffect: false, reason }, now);
      }
      await transaction.put(row);
    }
    /** @type {string | undefined} */
    let before;
    for (const row of members.filter((each) => each.state === 'done').reverse()) {
      if (row.compensation !== undefined) {
        /** @type {StoredRow} */
        const compensation = { ...row.compensation, behind: before };
        await transaction.put(compensation);
        before = compensation.id;
      }
    }
  }
}

/**
 * @param {StoredRow} row
 * @param {AttemptOutcome} outcome
 * @param {number} now
 */
export function note(row, outcome, now) {
  row.history.push({
    number: (row.history[row.history.length - 1]?.number ?? 0) + 1,
    at: row.triedAt,
    status: outcome.answer?.status,
    failure: outcome.failure,
    isSent: outcome.isSent === true,
    millis: now - (row.triedAt ?? now),
  });
  row.history.splice(0, row.history.length - MAX_HISTORY);
  row.mayHaveTakenEffect ||= mayHaveTakenEffect(outcome);
  if (!outcome.isSent && !row.wasSent) {
    row.firstSentAt = undefined;
  }
}

/**
 * @param {StoredRow} row
 * @param {'done' | 'failed'} state
 * @param {NonNullable<StoredRow['result']>} result
 * @param {number} now
 */
export function finish(row, state, result, now) {
  Object.assign(row, { state, result, finishedAt: now, lease: undefined, link: undefined, waitsFor: undefined, nextAttemptAt: 0 });
}

/** @param {AttemptOutcome} outcome */
function reasonOf({ answer, failure }) {
  return answer === undefined ? String(failure) : [answer.status, answer.code].filter((it) => it !== undefined).join(' ');
}
