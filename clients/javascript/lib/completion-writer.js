/**
 * Stores what follows from an attempt.
 * @module
 */
import { pauseMillis } from './backoff.js';
import { resultOf } from './client.js';
import { undo } from './groups.js';
import { shortened } from './limits.js';
import { retryAfterMillis } from './retry-after.js';
import { CREDENTIALS, PARKED, finish } from './row.js';
import { isReplayed, mayHaveTakenEffect } from './rules.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StorageTransaction} StorageTransaction
 * @typedef {import('./index.js').AttemptOutcome} AttemptOutcome
 * @typedef {import('./index.js').Decision} Decision
 * @typedef {import('./index.js').StoredAnswer} StoredAnswer
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
   * @param {StoredAnswer} [answer] what is kept of the answer
   */
  async conclude(transaction, row, outcome, decision, now, answer) {
    const mayHaveBefore = row.mayHaveTakenEffect;
    note(row, outcome, now);
    if (decision.decision === 'follow') {
      row.link = decision.link;
      await this.later(transaction, row, now + decision.atLeastMillis, 'server');
      return;
    }
    row.link = undefined;
    if (decision.decision === 'retry' && outcome.answer === undefined && !outcome.isFinal) {
      row.failures += 1;
      await this.later(transaction, row, now + this.pause(row.failures), 'network');
      return;
    }
    // That another request with the key is in execution is no answer to this one.
    row.attempts += this.#isInFlight(outcome) ? 0 : 1;
    row.failures = 0;
    if (decision.decision === 'retry') {
      const pause = Math.max(decision.atLeastMillis, this.pause(Math.max(1, row.attempts)));
      await this.#again(transaction, row, { outcome, answer, kind: 'unknown' }, now, pause);
      return;
    }
    if (decision.decision === 'done') {
      finish(row, 'done', { ...resultOf(this.#rules, decision, outcome, mayHaveBefore), answer }, now);
      await transaction.put(row);
      return;
    }
    if (decision.advice === 'SIGN_IN' && this.#parks(row, outcome)) {
      row.attempts -= 1;
      if (!row.wasSent) {
        row.firstSentAt = undefined; // The server did not look at the key.
      }
      await this.later(transaction, row, 0, 'server');
      await this.#park(transaction, row, outcome, now);
      return;
    }
    if (decision.advice === 'SEND_AGAIN') {
      // No caller waits, so that "later" is the longest pause.
      const asked = (outcome.answer && retryAfterMillis(outcome.answer, now)) ?? 0;
      const pause = Math.max(asked, this.#backoff.longestMillis);
      await this.#again(transaction, row, { outcome, answer, kind: decision.decision }, now, pause);
      return;
    }
    const result = resultOf(this.#rules, decision, outcome, mayHaveBefore);
    await this.fail(transaction, row, { ...result, answer, reason: reasonOf(outcome) }, now);
  }

  /**
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   * @param {number} at
   * @param {'server' | 'network'} waitsFor
   */
  async later(transaction, row, at, waitsFor) {
    Object.assign(row, { state: 'pending', nextAttemptAt: at, waitsFor });
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
      row.supersededBy = (await changeOf(transaction, row))?.id;
    }
    await transaction.put(row);
    if (row.groupId !== undefined && result.kind === 'refused' && !result.mayHaveTakenEffect) {
      await undo(transaction, row, now);
    }
  }

  /** @param {AttemptOutcome} outcome */
  #isInFlight({ answer }) {
    return answer?.status === 409 && this.#rules.inFlightCodes.includes(answer.code ?? '');
  }

  /** @param {number} attempt */
  pause(attempt) {
    return pauseMillis(this.#backoff, attempt, this.#random);
  }

  /**
   * Sends again later, or gives up.
   * @param {StorageTransaction} transaction
   * @param {StoredRow} row
   * @param {{outcome: AttemptOutcome, answer?: StoredAnswer, kind: 'refused' | 'unknown'}} last
   * @param {number} now
   * @param {number} pause
   */
  async #again(transaction, row, { outcome, answer, kind }, now, pause) {
    if (row.attempts < this.#maxAttempts) {
      await this.later(transaction, row, now + pause, 'server');
      return;
    }
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
    // An answer to credentials that have been changed since says nothing about the new ones.
    if (row.credentials === ((await transaction.setting(CREDENTIALS)) ?? 0)) {
      row.signInRefusals += 1;
      await transaction.put(row);
      await transaction.putSetting(PARKED, { status: outcome.answer?.status, since: now });
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
    failure: outcome.failure === undefined ? undefined : shortened(outcome.failure),
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
 * Returns the change that waits behind an operation.
 * @param {StorageTransaction} transaction
 * @param {StoredRow} row
 * @returns {Promise<StoredRow | undefined>}
 */
export async function changeOf(transaction, row) {
  // A compensation behind another one is no change of it.
  return (await transaction.where('behind', row.id)).find((each) => each.compensates === undefined);
}

/** @param {AttemptOutcome} outcome */
function reasonOf({ answer, failure }) {
  return shortened(answer === undefined ? String(failure) : [answer.status, answer.code].filter((it) => it !== undefined).join(' '));
}
