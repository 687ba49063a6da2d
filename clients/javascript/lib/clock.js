/**
 * The time, and waiting.
 * @module
 */

/**
 * Returns a time in milliseconds that is never set back, for measuring; that of day if the clock has
 * no other.
 * @param {import('./index.js').Clock} clock
 */
export function elapsedMillis(clock) {
  return clock.elapsed === undefined ? clock.now() : clock.elapsed();
}

/** The longest delay of a timer; a longer one would fire at once. */
const LONGEST_TIMER_MILLIS = 2 ** 31 - 1;

/**
 * The clock of this machine.
 * @type {import('./index.js').Clock}
 */
export const SYSTEM_CLOCK = Object.freeze({
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (/** @type {number} */ millis, /** @type {AbortSignal | undefined} */ signal) =>
    new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(millis, LONGEST_TIMER_MILLIS));
      signal?.addEventListener('abort', end, { once: true });
    }),
});
