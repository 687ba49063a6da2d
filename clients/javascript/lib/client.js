/**
 * Sends operations, and sends them again while that is safe.
 * @module
 */
import { receive } from './answer.js';
import { pauseMillis } from './backoff.js';
import { SYSTEM_CLOCK, elapsedMillis } from './clock.js';
import { range, shortened } from './limits.js';
import { isHeader } from './operation.js';
import { RULES, decide, keyHeaders, mayHaveTakenEffect } from './rules.js';
import { retryAfterMillis } from './retry-after.js';

/**
 * @typedef {import('./index.js').AttemptOutcome} AttemptOutcome
 * @typedef {import('./index.js').Attempt} Attempt
 * @typedef {import('./index.js').Decision} Decision
 * @typedef {import('./index.js').OperationResult} OperationResult
 * @typedef {import('./operation.js').Operation} Operation
 */

const DEFAULT_TIMEOUT_MILLIS = 30_000;
const DEFAULT_DEADLINE_MILLIS = 30_000;
const MAX_REAPPLICATIONS = 20;
const MAX_TIMEOUT_MILLIS = 10 * 60 * 1000;
const MAX_DEADLINE_MILLIS = 24 * 60 * 60 * 1000;
/** Node tells by these that no connection came about, so that nothing was sent. Browsers do not tell. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** Sends operations over `fetch`. */
export class OnceClient {
  #fetch;
  #credentials;
  #requestInit;
  #random;

  /** @param {import('./index.js').ClientOptions} [options] */
  constructor(options = {}) {
    /** @readonly */
    this.rules = options.rules ?? RULES.strict;
    /** @readonly */
    this.clock = options.clock ?? SYSTEM_CLOCK;
    /** @readonly */
    this.timeoutMillis = range('timeoutMillis', options.timeoutMillis ?? DEFAULT_TIMEOUT_MILLIS, 1, MAX_TIMEOUT_MILLIS);
    // Browsers want fetch to be called without an object.
    this.#fetch = options.fetch ?? ((/** @type {string} */ url, /** @type {RequestInit} */ init) => fetch(url, init));
    this.#credentials = options.credentials ?? (() => ({}));
    this.#requestInit = options.requestInit ?? {};
    this.#random = options.random ?? Math.random;
  }

  /**
   * Sends an operation until it has a final answer, the attempts are used up or the deadline is
   * reached. It does not reject for anything that servers and networks do.
   * @param {Operation} operation
   * @param {{signal?: AbortSignal, deadlineMillis?: number}} [options] `signal` cancels: no attempt is
   *     made after it; `deadlineMillis` is for the whole operation, 30 s if not given
   * @returns {Promise<OperationResult>}
   */
  async send(operation, { signal, deadlineMillis = DEFAULT_DEADLINE_MILLIS } = {}) {
    range('deadlineMillis', deadlineMillis, 0, MAX_DEADLINE_MILLIS);
    const run = new Run(operation, this.rules, this.#elapsed() + deadlineMillis);
    let pause = 0;
    while (!signal?.aborted && run.attempts.length < this.rules.maxAttempts) {
      const start = this.#elapsed();
      const outcome = await this.attempt(operation, { signal, timeoutMillis: run.deadline - start });
      const decision = decide(this.rules, operation.method, outcome, this.clock.now());
      run.add(outcome, pause, Math.round(this.#elapsed() - start));
      if (decision.decision === 'done' || decision.decision === 'refused' || decision.decision === 'unknown') {
        return run.result(decision);
      }
      pause = this.#pause(run.attempts.length, decision.atLeastMillis);
      if (this.#elapsed() + pause >= run.deadline || run.attempts.length >= this.rules.maxAttempts) {
        return run.noAnswer({ isCancelled: signal?.aborted, retryAfterMillis: decision.atLeastMillis });
      }
      await this.clock.sleep(pause, signal);
      if (decision.decision === 'follow') {
        await this.#follow(operation, decision.link, run.deadline, signal);
      }
      if (this.#elapsed() >= run.deadline) {
        return run.noAnswer({ isCancelled: signal?.aborted });
      }
    }
    return run.noAnswer({ isCancelled: signal?.aborted === true });
  }

  /**
   * Changes a resource that others may change too: reads it, sends the operation that `change` makes of
   * the answer, and starts again with a new operation while the server answers that the resource was
   * changed meanwhile.
   * @param {string | URL} resource
   * @param {(read: import('./answer.js').Answer) => Operation | Promise<Operation>} change uses the `ETag` of
   *     what was read as `ifMatch`, and creates a new operation with every call
   * @param {{maxTries?: number, signal?: AbortSignal, deadlineMillis?: number}} [options]
   * @returns {Promise<OperationResult>}
   */
  async update(resource, change, { maxTries = 5, ...options } = {}) {
    range('maxTries', maxTries, 1, MAX_REAPPLICATIONS);
    let lastKey;
    for (let tries = 1; ; tries++) {
      const operation = await change(await this.#read(resource, options.signal));
      if (operation.key === lastKey) {
        throw new TypeError('every call of change must create a new operation: the server remembers its key');
      }
      lastKey = operation.key;
      const result = await this.send(operation, options);
      if (result.advice !== 'REFETCH' || tries === maxTries) {
        return result;
      }
    }
  }

  /**
   * @param {string | URL} resource
   * @param {AbortSignal} [signal]
   */
  async #read(resource, signal) {
    const url = new URL(resource, globalThis.location?.href);
    const { answer, failure } = await this.#exchange('GET', url.href, {}, undefined, signal, this.timeoutMillis);
    if (answer?.status !== 200) {
      throw new Error(`GET ${url.pathname} was answered by ${answer?.status ?? failure}`);
    }
    return answer;
  }

  /**
   * Makes one attempt.
   * @param {Operation} operation
   * @param {{signal?: AbortSignal, timeoutMillis?: number}} [options]
   * @returns {Promise<AttemptOutcome>}
   */
  async attempt(operation, { signal, timeoutMillis = MAX_TIMEOUT_MILLIS } = {}) {
    const headers = { ...operation.headers, ...keyHeaders(this.rules, operation.key) };
    return this.#exchange(operation.method, operation.url, headers, operation.body, signal, timeoutMillis);
  }

  /**
   * Asks a status link whether an operation is still being executed.
   * @param {Operation} operation
   * @param {string} link from the answer 202
   * @param {{signal?: AbortSignal, timeoutMillis?: number}} [options]
   * @returns {Promise<{isInFlight: boolean, atLeastMillis: number, outcome: AttemptOutcome}>}
   */
  async status(operation, link, { signal, timeoutMillis = MAX_TIMEOUT_MILLIS } = {}) {
    const url = URL.canParse(link, operation.url) ? new URL(link, operation.url) : undefined;
    if (url === undefined || url.origin !== new URL(operation.url).origin) {
      // Credentials and key are for that server alone. The repeated request has the same answer.
      return { isInFlight: false, atLeastMillis: 0, outcome: { failure: 'link to no address of the server', isSent: false } };
    }
    const headers = keyHeaders(this.rules, operation.key);
    const outcome = await this.#exchange('GET', url.href, headers, undefined, signal, timeoutMillis);
    const { answer } = outcome;
    return {
      isInFlight: answer === undefined || answer.status >= 500 || answer.status === 429 || isInProgress(answer),
      atLeastMillis: (answer && retryAfterMillis(answer, this.clock.now())) ?? this.rules.inFlightPauseMillis,
      outcome,
    };
  }

  /**
   * @param {Operation} operation
   * @param {string} link
   * @param {number} deadline
   * @param {AbortSignal} [signal]
   */
  async #follow(operation, link, deadline, signal) {
    while (!signal?.aborted && this.#elapsed() < deadline) {
      const timeoutMillis = deadline - this.#elapsed();
      const { isInFlight, atLeastMillis } = await this.status(operation, link, { signal, timeoutMillis });
      if (!isInFlight) {
        return;
      }
      await this.clock.sleep(Math.min(atLeastMillis, deadline - this.#elapsed()), signal);
    }
  }

  /**
   * @param {string} method
   * @param {string} url
   * @param {Record<string, string>} headers
   * @param {Uint8Array | undefined} body
   * @param {AbortSignal | undefined} signal
   * @param {number} timeoutMillis
   * @returns {Promise<AttemptOutcome>}
   */
  async #exchange(method, url, headers, body, signal, timeoutMillis) {
    if (signal?.aborted) {
      return { failure: 'cancelled', isSent: false };
    }
    const ending = new AbortController();
    const cancel = () => ending.abort(signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });
    const limit = Math.max(1, Math.min(this.timeoutMillis, timeoutMillis));
    // Covers the body of the answer too.
    const timer = setTimeout(() => ending.abort(new Error(`no complete answer within ${limit} ms`)), limit);
    let isSent = false;
    try {
      const credentials = await unlessAborted(this.#currentCredentials(), ending.signal);
      if ('failure' in credentials) {
        return { ...credentials, isSent };
      }
      ending.signal.throwIfAborted();
      isSent = true;
      const exchange = this.#fetch(url, {
        cache: 'no-store', // A stored status or version would be an old one.
        ...this.#requestInit,
        method,
        headers: { ...credentials.headers, ...lowerCased(headers) },
        body: body?.length ? /** @type {any} */ (body) : undefined,
        redirect: 'manual', // A redirect would send credentials to another address.
        signal: ending.signal,
      }).then(receive);
      return { answer: await unlessAborted(exchange, ending.signal), isSent };
    } catch (failure) {
      return { failure: shortened(reason(failure)), isSent: isSent && !NOT_SENT.includes(codeOf(failure)) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /**
   * Asks for the credentials. A failure does not name what they are: it is stored and shown.
   * @returns {Promise<{headers: Record<string, string>} | {failure: string, isLocal: true, isFinal?: true}>}
   */
  async #currentCredentials() {
    let headers;
    try {
      headers = lowerCased((await this.#credentials()) ?? {});
    } catch (failure) {
      return { failure: `the credentials cannot be had: ${nameOf(failure)}`, isLocal: true };
    }
    const wrong = Object.entries(headers).find(([name, value]) => !isHeader(name, value));
    return wrong === undefined
      ? { headers }
      : { failure: `HTTP does not allow the credentials in header ${shortened(wrong[0])}`, isLocal: true, isFinal: true };
  }

  /** Returns a time that is never set back. */
  #elapsed() {
    return elapsedMillis(this.clock);
  }

  /**
   * @param {number} attempt
   * @param {number} atLeastMillis
   */
  #pause(attempt, atLeastMillis) {
    return Math.max(atLeastMillis, pauseMillis(this.rules.backoff, attempt, this.#random));
  }
}

/** The attempts at one operation. */
class Run {
  /**
   * @param {Operation} operation
   * @param {import('./index.js').RetryRules} rules
   * @param {number} deadline
   */
  constructor(operation, rules, deadline) {
    this.operation = operation;
    this.rules = rules;
    this.deadline = deadline;
    /** @type {Attempt[]} */
    this.attempts = [];
    /** @type {import('./answer.js').Answer | undefined} */
    this.lastAnswer = undefined;
    this.mayHaveTakenEffect = false;
    this.mayHaveBefore = false;
  }

  /**
   * @param {AttemptOutcome} outcome
   * @param {number} pauseBeforeMillis
   * @param {number} millis
   */
  add(outcome, pauseBeforeMillis, millis) {
    this.attempts.push({
      number: this.attempts.length + 1,
      status: outcome.answer?.status,
      failure: outcome.failure,
      isSent: outcome.isSent === true,
      pauseBeforeMillis,
      millis,
    });
    this.lastAnswer = outcome.answer ?? this.lastAnswer;
    this.lastOutcome = outcome;
    this.mayHaveBefore = this.mayHaveTakenEffect;
    this.mayHaveTakenEffect ||= mayHaveTakenEffect(outcome);
  }

  /**
   * @param {Decision} decision
   * @returns {OperationResult}
   */
  result(decision) {
    const result = resultOf(this.rules, decision, this.lastOutcome ?? { isSent: false }, this.mayHaveBefore);
    return { operation: this.operation, attempts: this.attempts, ...result };
  }

  /**
   * @param {{isCancelled?: boolean, retryAfterMillis?: number}} details
   * @returns {OperationResult}
   */
  noAnswer({ isCancelled = false, retryAfterMillis }) {
    return {
      operation: this.operation,
      kind: 'unknown',
      advice: 'SEND_AGAIN',
      answer: this.lastAnswer,
      attempts: this.attempts,
      mayHaveTakenEffect: this.mayHaveTakenEffect,
      isCancelled,
      retryAfterMillis: retryAfterMillis || undefined,
    };
  }
}

/**
 * Returns the part of a result that follows from the last decision.
 * @param {import('./index.js').RetryRules} rules
 * @param {Decision} decision `done`, `refused` or `unknown`
 * @param {AttemptOutcome} outcome of the last attempt
 * @param {boolean} mayHaveBefore whether an earlier attempt may have taken effect
 */
export function resultOf(rules, decision, outcome, mayHaveBefore) {
  const { answer } = outcome;
  if (decision.decision === 'done') {
    return {
      kind: /** @type {'done' | 'replayed'} */ (decision.replayed ? 'replayed' : 'done'),
      advice: undefined,
      answer,
      mayHaveTakenEffect: true,
    };
  }
  const { advice } = /** @type {{advice: import('./index.js').Advice}} */ (decision);
  const kind = /** @type {'refused' | 'unknown'} */ (decision.decision);
  // A server that knows the key answers for all attempts, unless it refuses before it looks at the key.
  const isFinal = kind === 'refused' && rules.keyHeader !== null && advice !== 'SIGN_IN' && advice !== 'SEND_AGAIN';
  const mayHaveNow = (kind === 'unknown' || advice === 'NEW_OPERATION') && mayHaveTakenEffect(outcome);
  return { kind, advice, answer, mayHaveTakenEffect: mayHaveNow || (mayHaveBefore && !isFinal) };
}

/** @param {import('./answer.js').Answer} answer */
function isInProgress(answer) {
  try {
    return answer.status === 202 || (answer.status === 200 && answer.json().state === 'in_progress');
  } catch {
    return false;
  }
}

/**
 * Rejects as soon as a signal is aborted, also if the work ignores it.
 * @template T
 * @param {Promise<T>} work
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
function unlessAborted(work, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
    }
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** @param {Record<string, string>} headers */
function lowerCased(headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** @param {unknown} failure */
function nameOf(failure) {
  return failure instanceof Error ? failure.name : typeof failure;
}

/** @param {any} failure */
function codeOf(failure) {
  return failure?.cause?.code ?? failure?.code ?? '';
}

/** @param {any} failure */
function reason(failure) {
  const cause = failure?.cause?.code ?? failure?.cause?.message;
  const message = failure?.message ?? String(failure);
  return cause === undefined ? message : `${message}: ${cause}`;
}
