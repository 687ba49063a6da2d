/**
 * Checks of what callers pass in.
 * @module
 */

/**
 * Returns `value` if it is a finite number in a range.
 * @param {string} name
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
export function range(name, value, least, most) {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new RangeError(`${name} must be ${least} to ${most}, got ${value}`);
  }
  return value;
}

const MAX_REASON_CHARS = 500;

/**
 * Returns a text without its end if it is very long.
 * @param {string} reason
 */
export function shortened(reason) {
  return reason.length <= MAX_REASON_CHARS ? reason : `${reason.slice(0, MAX_REASON_CHARS)}…`;
}

/**
 * Returns `value` if it is a text whose length is in a range.
 * @param {string} name
 * @param {unknown} value
 * @param {number} least
 * @param {number} most
 */
export function text(name, value, least, most) {
  if (typeof value !== 'string' || value.length < least || value.length > most) {
    const got = typeof value === 'string' ? value.length : typeof value;
    throw new RangeError(`${name} must have ${least} to ${most} characters, got ${got}`);
  }
  return value;
}
