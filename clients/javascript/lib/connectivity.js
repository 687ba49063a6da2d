/**
 * Which servers can be reached.
 * @module
 */
import { elapsedMillis } from './clock.js';

/** @typedef {import('./index.js').StoredRow} StoredRow */

const MAX_FAILURES_OF_OUTAGE = 3;

/**
 * Remembers which servers answer. To one that does not, one operation is sent at a time, after pauses
 * that grow. That the browser calls itself offline is a hint: one operation is sent now and then.
 */
export class Connectivity {
  #clock;
  #pause;
  #emit;
  /** By origin; `until` is when to try it again after it could not be reached.
   * @type {Map<string, {isReachable: boolean, failures: number, until: number}>} */
  #servers = new Map();
  #onlineAt = 0;
  #triedOfflineAt = -Infinity;

  /**
   * @param {import('./index.js').Clock} clock
   * @param {(failures: number) => number} pause
   * @param {(event: import('./index.js').QueueEvent) => void} emit
   */
  constructor(clock, pause, emit) {
    this.#clock = clock;
    this.#pause = pause;
    this.#emit = emit;
  }

  /** The machine has a network again: servers are tried at once. */
  wentOnline() {
    this.#onlineAt = this.#clock.now();
    this.#triedOfflineAt = -Infinity;
    this.#servers.clear();
  }

  /**
   * Returns for how long nothing is to be sent, because the browser says that it is offline.
   * @param {number} longestMillis
   */
  offlineMillis(longestMillis) {
    const left = this.#triedOfflineAt + longestMillis - this.#elapsed();
    return isOffline() ? Math.max(0, left) : 0;
  }

  /** Something is sent, although the browser may say that it is offline. */
  sending() {
    this.#triedOfflineAt = this.#elapsed();
  }

  /**
   * Returns the milliseconds until an operation may be sent; Infinity if something else happens before.
   * @param {StoredRow} row
   * @param {number} ownMillis its own pause
   * @param {boolean} isProbed whether another operation is being sent to its server
   */
  waitMillis(row, ownMillis, isProbed) {
    const server = this.#servers.get(originOf(row));
    if (server !== undefined && !server.isReachable) {
      // One that fails again and again may be the cause: others are tried before it.
      const after = row.failures > MAX_FAILURES_OF_OUTAGE && !isOffline() ? 1 : 0;
      return isProbed ? Infinity : Math.max(ownMillis, server.until + after - this.#elapsed());
    }
    // One that fails again and again, while others are answered, keeps to its own pauses.
    const isBack = server !== undefined || this.#onlineAt > (row.triedAt ?? 0);
    return row.waitsFor === 'network' && isBack && row.failures <= MAX_FAILURES_OF_OUTAGE ? 0 : ownMillis;
  }

  /**
   * @param {StoredRow} row
   * @param {import('./index.js').AttemptOutcome} outcome
   */
  note(row, outcome) {
    if (outcome.isLocal) {
      return;
    }
    const origin = originOf(row);
    const before = this.#servers.get(origin) ?? { failures: 0, until: -Infinity, isReachable: true };
    const isReachable = outcome.answer !== undefined;
    const now = this.#elapsed();
    if (isReachable) {
      this.#servers.set(origin, { isReachable, failures: 0, until: 0 });
    } else if (now >= before.until) {
      // Attempts that fail together are one failure of the server.
      const failures = before.failures + 1;
      this.#servers.set(origin, { isReachable, failures, until: now + this.#pause(failures) });
    }
    if (before.isReachable !== isReachable) {
      this.#emit({ type: isReachable ? 'online' : 'offline', origin });
    }
  }

  #elapsed() {
    return elapsedMillis(this.#clock);
  }
}

function isOffline() {
  return globalThis.navigator?.onLine === false;
}

/** @param {StoredRow} row */
export function originOf(row) {
  return new URL(row.url).origin;
}
