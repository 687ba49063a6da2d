/**
 * When an operation is sent again: data, because APIs differ. There is one set for each HTTP contract
 * of Once, and `plain` for servers that know no keys. For an API of its own, copy a set and change it:
 * `{...RULES.strict, name: 'mine', retriesEvery5xx: true}`.
 * @module
 */
import { INTERACTIVE } from './backoff.js';
import { retryAfterMillis } from './retry-after.js';

/**
 * @typedef {import('./index.js').RetryRules} RetryRules
 * @typedef {import('./index.js').Decision} Decision
 * @typedef {import('./index.js').AttemptOutcome} AttemptOutcome
 * @typedef {import('./answer.js').Answer} Answer
 */

const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'];
const MISMATCHES = [...spellings('concurrency.version_mismatch'), 'planning.concurrency_mismatch'];
/** Errors that say: an earlier request with this key took effect, or may have. */
const UNCERTAIN = [
  'idempotency.uncertain',
  'idempotency.answer_not_kept',
  'idempotency.outcome_unreadable',
].flatMap(spellings);
/** Errors of a server that has executed nothing. */
const NOT_EXECUTED = ['idempotency.store_unavailable', 'circuit.open'].flatMap(spellings);
/** Statuses after which the same request might succeed later, if the answer were not kept. */
const TRANSIENT_REFUSALS = [401, 403, 429];

/** @type {Readonly<RetryRules>} */
const STRICT = Object.freeze({
  name: 'strict',
  contract: 'strict',
  keyHeader: 'Idempotency-Key',
  isKeyQuoted: false,
  retriedStatuses: Object.freeze([502, 503, 504]),
  retriesEvery5xx: false,
  inFlightCodes: Object.freeze(['idempotency.in_flight']),
  retriesInFlight: false,
  followsAccepted: false,
  keepsFailures: false,
  replayHeader: Object.freeze(['Idempotency-Replayed', 'true']),
  inFlightPauseMillis: 2_000,
  backoff: INTERACTIVE,
  maxAttempts: 5,
  retentionMillis: 24 * 60 * 60 * 1000,
});

/**
 * The rules of each contract.
 * @type {Readonly<Record<'strict'|'planning'|'mobile'|'async'|'ietf'|'stripe'|'plain', Readonly<RetryRules>>>}
 */
export const RULES = Object.freeze({
  /** Timeouts, 502, 503, 504 and a 429 with a window are retried; 409 and other errors never. */
  strict: STRICT,
  /** As strict, and every 5xx is retried. */
  planning: Object.freeze({ ...STRICT, name: 'planning', contract: 'planning', retriesEvery5xx: true }),
  /**
   * A 409 `CONCURRENT_REQUEST` is retried after 2 seconds, or later if the server says so. The server
   * repeats every answer for 24 hours, also a 5xx, so that the same key cannot succeed after one.
   */
  mobile: Object.freeze({
    ...STRICT,
    name: 'mobile',
    contract: 'mobile',
    inFlightCodes: Object.freeze(['CONCURRENT_REQUEST']),
    retriesInFlight: true,
    keepsFailures: true,
  }),
  /** A 202 is followed by its status link, and the request is repeated when it has ended. */
  async: Object.freeze({
    ...STRICT,
    name: 'async',
    contract: 'async',
    retriesInFlight: true,
    followsAccepted: true,
    replayHeader: Object.freeze(['X-Idempotency-Status', 'HIT']),
  }),
  /** The key is a structured string, and a 409 for a request in flight is retried. */
  ietf: Object.freeze({ ...STRICT, name: 'ietf', contract: 'ietf', isKeyQuoted: true, retriesInFlight: true }),
  /** A 409 `idempotency_key_in_use` is retried; the server repeats every answer, also a 5xx. */
  stripe: Object.freeze({
    ...STRICT,
    name: 'stripe',
    contract: 'stripe',
    inFlightCodes: Object.freeze(['idempotency_key_in_use']),
    retriesInFlight: true,
    keepsFailures: true,
    replayHeader: Object.freeze(['Idempotent-Replayed', 'true']),
  }),
  /** No keys: a write of which something was sent is retried only if its method is idempotent. */
  plain: Object.freeze({ ...STRICT, name: 'plain', contract: 'plain', keyHeader: null }),
});

/**
 * Returns the headers that carry a key.
 * @param {RetryRules} rules
 * @param {string} key
 * @returns {Record<string, string>}
 */
export function keyHeaders(rules, key) {
  return rules.keyHeader === null ? {} : { [rules.keyHeader]: rules.isKeyQuoted ? quoted(key) : key };
}

/**
 * Returns a code as the contracts spell it.
 * @param {string} code
 */
function spellings(code) {
  const joined = code.replaceAll('.', '_');
  return [code, joined.toUpperCase(), joined];
}

/**
 * Returns a key as a structured string.
 * @param {string} key
 */
function quoted(key) {
  return `"${key.replace(/[\\"]/g, '\\$&')}"`;
}

/**
 * Returns what follows from the outcome of an attempt.
 * @param {RetryRules} rules
 * @param {string} method
 * @param {AttemptOutcome} outcome
 * @param {number} [nowMillis]
 * @returns {Decision}
 */
export function decide(rules, method, outcome, nowMillis = Date.now()) {
  const { answer } = outcome;
  if (answer === undefined) {
    return !outcome.isSent || isRepeatable(rules, method) ? retry(0) : unknown('CHECK_FIRST');
  }
  if (UNCERTAIN.includes(answer.code ?? '')) {
    return unknown('CHECK_FIRST');
  }
  const link = answer.header('Location');
  if (answer.status === 202 && rules.followsAccepted && link !== undefined) {
    return { decision: 'follow', link, atLeastMillis: inFlightPause(rules, answer, nowMillis) };
  }
  if (answer.status >= 200 && answer.status < 300) {
    return { decision: 'done', replayed: isReplayed(rules, answer) };
  }
  // A write may have succeeded by a redirect, and a portal answers in its place. A browser hides its
  // status: it is 0.
  if (answer.status === 0 || (answer.status >= 300 && answer.status < 400)) {
    return unknown('CHECK_FIRST');
  }
  const isTransient = answer.status >= 500 || TRANSIENT_REFUSALS.includes(answer.status);
  if (rules.keepsFailures && isTransient && isReplayed(rules, answer)) {
    return refused('NEW_OPERATION');
  }
  return answer.status >= 500
    ? serverError(rules, method, answer, nowMillis)
    : refusal(rules, answer, nowMillis);
}

/**
 * Returns whether an attempt may have taken effect, although it has no final answer.
 * @param {AttemptOutcome} outcome
 */
export function mayHaveTakenEffect({ answer, isSent }) {
  if (answer === undefined) {
    return isSent === true;
  }
  const isExecuted = answer.status >= 500 && !NOT_EXECUTED.includes(answer.code ?? '');
  return isExecuted || answer.status === 202 || answer.status === 409;
}

/**
 * Returns whether a server repeated this answer.
 * @param {RetryRules} rules
 * @param {Answer} answer
 */
export function isReplayed(rules, answer) {
  const [header, value] = rules.replayHeader;
  return answer.header(header)?.toLowerCase() === value.toLowerCase();
}

/**
 * Returns whether a request may be sent again of which something was sent.
 * @param {RetryRules} rules
 * @param {string} method
 */
export function isRepeatable(rules, method) {
  return rules.keyHeader !== null || IDEMPOTENT.includes(method);
}

/**
 * @param {RetryRules} rules
 * @param {string} method
 * @param {Answer} answer
 * @param {number} nowMillis
 * @returns {Decision}
 */
function serverError(rules, method, answer, nowMillis) {
  if (rules.retriesEvery5xx || rules.retriedStatuses.includes(answer.status)) {
    return isRepeatable(rules, method)
      ? retry(retryAfterMillis(answer, nowMillis) ?? 0)
      : unknown('CHECK_FIRST');
  }
  if (rules.keepsFailures) {
    return refused('NEW_OPERATION');
  }
  return unknown(isRepeatable(rules, method) ? 'SEND_AGAIN' : 'CHECK_FIRST');
}

/**
 * @param {RetryRules} rules
 * @param {Answer} answer
 * @param {number} nowMillis
 * @returns {Decision}
 */
function refusal(rules, answer, nowMillis) {
  const { status } = answer;
  const code = answer.code ?? '';
  const window = retryAfterMillis(answer, nowMillis);
  if (status === 429) {
    return window === undefined ? refused('SEND_AGAIN') : retry(window);
  }
  if (status === 409 && rules.inFlightCodes.includes(code)) {
    return rules.retriesInFlight ? retry(inFlightPause(rules, answer, nowMillis)) : unknown('SEND_AGAIN');
  }
  if (status === 412 || MISMATCHES.includes(code)) {
    return refused('REFETCH');
  }
  if (status === 401 || status === 403) {
    return refused('SIGN_IN');
  }
  return rules.retriedStatuses.includes(status) ? retry(window ?? 0) : refused('CORRECT');
}

/**
 * @param {RetryRules} rules
 * @param {Answer} answer
 * @param {number} nowMillis
 */
function inFlightPause(rules, answer, nowMillis) {
  return Math.max(retryAfterMillis(answer, nowMillis) ?? 0, rules.inFlightPauseMillis);
}

/**
 * @param {number} atLeastMillis
 * @returns {Decision}
 */
function retry(atLeastMillis) {
  return { decision: 'retry', atLeastMillis };
}

/**
 * @param {import('./index.js').Advice} advice
 * @returns {Decision}
 */
function refused(advice) {
  return { decision: 'refused', advice };
}

/**
 * @param {import('./index.js').Advice} advice
 * @returns {Decision}
 */
function unknown(advice) {
  return { decision: 'unknown', advice };
}
