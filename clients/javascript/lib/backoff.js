/**
 * Pauses between attempts: random, between a shortest one and a longest one that doubles with every
 * attempt up to a limit, so that clients that failed together do not come back together.
 * @module
 */
import { range } from './limits.js';

/** @typedef {import('./index.js').Backoff} Backoff */

const MAX_DOUBLINGS = 30;
const DAY_MILLIS = 24 * 60 * 60 * 1000;

/**
 * For calls made while a person waits: 200 to 500 ms first, at most 5 s.
 * @type {Readonly<Backoff>}
 */
export const INTERACTIVE = Object.freeze({ shortestMillis: 200, firstMillis: 500, longestMillis: 5_000 });

/**
 * For a queue, which no person waits for: 200 to 500 ms first, at most a minute.
 * @type {Readonly<Backoff>}
 */
export const BACKGROUND = Object.freeze({ shortestMillis: 200, firstMillis: 500, longestMillis: 60_000 });

/**
 * Returns the pause after an attempt.
 * @param {Backoff} backoff
 * @param {number} attempt from 1 on
 * @param {() => number} random from 0 to below 1
 * @returns {number} milliseconds
 */
export function pauseMillis(backoff, attempt, random) {
  const { shortestMillis, firstMillis, longestMillis } = checked(backoff);
  const doublings = Math.min(attempt - 1, MAX_DOUBLINGS);
  const limit = Math.min(longestMillis, firstMillis * 2 ** doublings);
  return Math.floor(shortestMillis + random() * (limit - shortestMillis + 1));
}

/** @param {Backoff} backoff */
function checked(backoff) {
  range('longestMillis', backoff.longestMillis, 0, DAY_MILLIS);
  range('firstMillis', backoff.firstMillis, 0, backoff.longestMillis);
  range('shortestMillis', backoff.shortestMillis, 0, backoff.firstMillis);
  return backoff;
}
