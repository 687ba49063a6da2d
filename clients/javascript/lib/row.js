/**
 * What a queue stores of an operation, and what it shows of it.
 * @module
 */
import { Answer } from './answer.js';
import { Operation } from './operation.js';
import { isRepeatable } from './rules.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').OperationResult} OperationResult
 */

/** The setting that has the status that parked the queue; without one, the queue is not parked. */
export const PARKED = 'parked';
/** The setting that has the number of changes of credentials. */
export const CREDENTIALS = 'credentials';
/** The setting that has the contract by which operations are sent. */
export const CONTRACT = 'contract';
/** A larger answer is kept without its body. */
const MAX_KEPT_ANSWER_BYTES = 1024 * 1024;
/** Headers of an answer that are not kept. */
const NOT_KEPT = ['set-cookie', 'set-cookie2', 'authorization', 'www-authenticate'];
const STATES = ['pending', 'sending', 'failed', 'done'];
/** More than that does no clock err that is set by itself. */
const MAX_CLOCK_ERROR_MILLIS = 60 * 60 * 1000;

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
    orderingKey: operation.orderingKey,
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
  const { id, key, type, orderingKey, headers, body } = row;
  return new Operation(row.method, row.url, { id, key, type, orderingKey, headers, body });
}

/**
 * Returns whether an operation without an outcome, or with one that needs a decision, blocks
 * later ones of its ordering key.
 * @param {StoredRow} row
 */
export function isOpen(row) {
  return row.state !== 'done' && row.supersededBy === undefined && !row.isUndone;
}

/**
 * Returns whether a server may execute an operation again that was sent before: it knows no keys, or
 * may have forgotten the key before another attempt would end. A first attempt in the future was made
 * before the clock was set back, so that its age is not known.
 * @param {StoredRow} row
 * @param {{rules: import('./index.js').RetryRules, timeoutMillis: number}} client
 * @param {number} now
 */
export function isForgotten(row, { rules, timeoutMillis }, now) {
  if (row.firstSentAt === undefined) {
    return false;
  }
  const age = now - row.firstSentAt;
  return !isRepeatable(rules, row.method) || age >= rules.retentionMillis - timeoutMillis || age < -MAX_CLOCK_ERROR_MILLIS;
}

/**
 * Returns a row as it was stored; one that is damaged is shown as failed, so that it does not stop
 * the others.
 * @param {StoredRow} row
 * @returns {StoredRow}
 */
export function readable(row) {
  if (row.isUnreadable || (isText(row.key) && isText(row.url) && URL.canParse(row.url) && hasFields(row))) {
    return row;
  }
  return unreadable(row);
}

/**
 * @param {{seq?: any, id?: any, key?: any, fingerprint?: any, openOrderingKey?: any, groupId?: any, behind?: any}} found
 * @returns {StoredRow}
 */
export function unreadable({ seq, id, key, fingerprint, openOrderingKey, groupId, behind }) {
  const result = { kind: 'unknown', advice: 'CHECK_FIRST', reason: 'its row cannot be read', mayHaveTakenEffect: true };
  const known = { seq, id, key, fingerprint, openOrderingKey, groupId, behind };
  return /** @type {any} */ ({ ...known, state: 'failed', isUnreadable: true, headers: {}, history: [], body: new Uint8Array(), result });
}

/** @param {StoredRow} row */
function hasFields({ state, headers, body, history, nextAttemptAt, attempts, failures }) {
  return (
    STATES.includes(state) &&
    typeof headers === 'object' &&
    headers !== null &&
    body instanceof Uint8Array &&
    Array.isArray(history) &&
    [nextAttemptAt, attempts, failures].every(Number.isFinite)
  );
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === 'string';
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

/**
 * @param {StoredRow} row
 * @param {'done' | 'failed'} state
 * @param {NonNullable<StoredRow['result']>} result
 * @param {number} now
 */
export function finish(row, state, result, now) {
  Object.assign(row, { state, result, finishedAt: now, link: undefined, waitsFor: undefined, nextAttemptAt: 0 });
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
 * Returns what is kept of an answer: no cookies, and not a body that is too large.
 * @param {Answer | undefined} answer
 * @returns {import('./index.js').StoredAnswer | undefined}
 */
export function storedAnswer(answer) {
  if (answer === undefined) {
    return undefined;
  }
  const { status, headers, body, isComplete } = answer;
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_KEPT.includes(name)));
  return body.length > MAX_KEPT_ANSWER_BYTES
    ? withoutBody({ status, headers: kept, body, isComplete })
    : { status, headers: kept, body, isComplete };
}

/**
 * @param {import('./index.js').StoredAnswer} answer
 * @returns {import('./index.js').StoredAnswer}
 */
export function withoutBody({ status, headers, isSealed }) {
  return { status, headers: isSealed ? {} : headers, body: new Uint8Array(), isComplete: false };
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
    orderingKey: row.orderingKey,
    groupId: row.groupId,
    state: row.state,
    attempts: row.attempts,
    failures: row.failures,
    createdAt: row.createdAt,
    firstSentAt: row.firstSentAt,
    nextAttemptAt: row.nextAttemptAt || undefined,
    finishedAt: row.finishedAt,
    behind: row.behind,
    isReplayed: row.result === undefined ? undefined : row.result.kind === 'replayed',
    status: row.result?.answer?.status,
    advice: row.result?.advice,
    reason: row.result?.reason,
  };
}
