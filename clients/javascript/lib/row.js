/**
 * What a queue stores of an operation, and what it shows of it.
 * @module
 */
import { Answer } from './answer.js';
import { Operation } from './operation.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').OperationResult} OperationResult
 */

/** The setting that has the status that parked the queue, or when the credentials changed. */
export const PARKED = 'parked';
/** The setting that is true while the queue is paused. */
export const PAUSED = 'paused';

/**
 * @param {Operation} operation
 * @param {string} fingerprint
 * @param {number} now
 * @returns {StoredRow}
 */
export function newRow(operation, fingerprint, now) {
  return {
    id: operation.id,
    key: operation.key,
    type: operation.type,
    method: operation.method,
    url: operation.url,
    headers: { ...operation.headers },
    body: operation.body,
    lane: operation.lane,
    fingerprint,
    state: 'pending',
    createdAt: now,
    nextAttemptAt: 0,
    ...untried(),
  };
}

/** Returns what a row without an attempt under its key has. */
export function untried() {
  return {
    attempts: 0,
    failures: 0,
    signInRefusals: 0,
    history: [],
    firstSentAt: undefined,
    mayHaveTakenEffect: false,
    waitsFor: undefined,
    link: undefined,
    lease: undefined,
    result: undefined,
    finishedAt: undefined,
    supersededBy: undefined,
  };
}

/**
 * @param {StoredRow} row
 * @returns {Operation}
 */
export function operationOf(row) {
  const { id, key, type, lane, headers, body } = row;
  return new Operation(row.method, row.url, { id, key, type, lane, headers, body });
}

/**
 * Returns whether an operation without an outcome, or with one that needs a decision, keeps its lane.
 * @param {StoredRow} row
 */
export function isOpen(row) {
  return row.state !== 'done' && row.supersededBy === undefined && !row.isUndone;
}

/**
 * Returns whether the server may have forgotten the key since the first attempt.
 * @param {StoredRow} row
 * @param {import('./index.js').RetryRules} rules
 * @param {number} now
 */
export function isForgotten(row, rules, now) {
  return row.firstSentAt !== undefined && now - row.firstSentAt >= rules.retentionMillis;
}

/**
 * Returns whether a key has succeeded since a time.
 * @param {import('./index.js').StorageTransaction} transaction
 * @param {string} key
 * @param {number} since
 */
export async function isInLedger(transaction, key, since) {
  const at = await transaction.success(key);
  return at !== undefined && at > since;
}

/** @param {StoredRow} row */
export function isFinished(row) {
  return row.state === 'done' || row.state === 'failed';
}

/**
 * Returns whether an operation did certainly not take effect.
 * @param {StoredRow} row
 */
export function isWithoutEffect(row) {
  return row.state === 'failed'
    ? row.result?.mayHaveTakenEffect === false
    : row.state === 'pending' && row.firstSentAt === undefined;
}

/**
 * @param {StoredRow} row that is finished
 * @returns {OperationResult}
 */
export function resultOfRow(row) {
  const result = /** @type {NonNullable<StoredRow['result']>} */ (row.result);
  const { answer } = result;
  return {
    operation: operationOf(row),
    kind: result.kind,
    advice: result.advice,
    answer: answer && new Answer(answer.status, answer.headers, answer.body, answer.isComplete),
    attempts: row.history,
    mayHaveTakenEffect: result.mayHaveTakenEffect,
    reason: result.reason,
  };
}

/**
 * @param {Answer | undefined} answer
 * @returns {import('./index.js').StoredAnswer | undefined}
 */
export function storedAnswer(answer) {
  return answer && { status: answer.status, headers: { ...answer.headers }, body: answer.body, isComplete: answer.isComplete };
}

/**
 * @param {StoredRow} row
 * @returns {import('./index.js').QueuedOperation}
 */
export function shown(row) {
  return {
    id: row.id,
    key: row.key,
    type: row.type,
    method: row.method,
    url: row.url,
    lane: row.lane,
    groupId: row.groupId,
    state: row.state,
    attempts: row.attempts,
    failures: row.failures,
    createdAt: row.createdAt,
    firstSentAt: row.firstSentAt,
    nextAttemptAt: row.nextAttemptAt || undefined,
    finishedAt: row.finishedAt,
    behind: row.behind,
    status: row.result?.answer?.status,
    advice: row.result?.advice,
    reason: row.result?.reason,
  };
}
