/**
 * How long a server asks to wait: by `Retry-After`, in seconds or as one of the three forms of an
 * HTTP date, or by the `t` of `RateLimit` if no quota is left. `Retry-After` comes first. What is not
 * well-formed is ignored, and nothing longer than ten minutes is believed.
 * @module
 */

export const LONGEST_MILLIS = 10 * 60 * 1000;

const SECONDS = /^[0-9]{1,100}$/;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';
const MONTH = `(?<month>${MONTHS.join('|')})`;
const SHORT_DAY = `(?<weekday>${DAYS.map((day) => day.slice(0, 3)).join('|')})`;
const DATE_FORMS = [
  new RegExp(`^${SHORT_DAY}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^(?<weekday>${DAYS.join('|')}), (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT$`),
  new RegExp(`^${SHORT_DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];
const RATE_LIMIT = /^\s*"[^"\\]*"(?:\s*;\s*[a-z*][a-z0-9_.*-]*=[^;,]+)*\s*$/;
const NO_QUOTA = /;\s*r=0\s*(?:;|$)/;
const RESET = /;\s*t=([0-9]{1,15})\s*(?:;|$)/;
const YEARS_AHEAD = 50;

/**
 * Returns the wait in milliseconds, not negative; undefined if the server asks for none.
 * @param {import('./index.js').Answer} answer
 * @param {number} nowMillis
 * @returns {number | undefined}
 */
export function retryAfterMillis(answer, nowMillis) {
  // By the server's clock, because this one may be wrong.
  const answered = date((answer.header('Date') ?? '').trim(), nowMillis) ?? nowMillis;
  const wait = parse((answer.header('Retry-After') ?? '').trim(), answered) ?? reset(answer);
  return wait === undefined ? undefined : Math.min(Math.max(wait, 0), LONGEST_MILLIS);
}

/**
 * @param {string} value
 * @param {number} nowMillis
 */
function parse(value, nowMillis) {
  if (SECONDS.test(value)) {
    return Number(value) * 1000;
  }
  const asked = date(value, nowMillis);
  return asked === undefined ? undefined : asked - nowMillis;
}

/**
 * @param {string} value
 * @param {number} nowMillis
 */
function date(value, nowMillis) {
  for (const form of DATE_FORMS) {
    const fields = form.exec(value)?.groups;
    const found = fields && dateOf(fields, nowMillis);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/**
 * @param {Record<string, string>} fields
 * @param {number} nowMillis
 */
function dateOf(fields, nowMillis) {
  const month = MONTHS.indexOf(fields.month);
  const year = fields.year.length === 2 ? fullYear(Number(fields.year), nowMillis) : Number(fields.year);
  const [day, hour, minute, second] = [fields.day, fields.hour, fields.minute, fields.second].map(Number);
  const date = new Date(Date.UTC(year, month, day, hour, minute, second));
  // Date.UTC carries a 31st of June over to July: such a date is malformed.
  const isSame =
    date.getUTCDate() === day &&
    date.getUTCMonth() === month &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    DAYS[date.getUTCDay()].startsWith(fields.weekday);
  return isSame ? date.getTime() : undefined;
}

/**
 * A year of two digits that would be more than 50 years ahead is one in the past.
 * @param {number} twoDigits
 * @param {number} nowMillis
 */
function fullYear(twoDigits, nowMillis) {
  const latest = new Date(nowMillis).getUTCFullYear() + YEARS_AHEAD;
  const year = latest - (latest % 100) + twoDigits;
  return year > latest ? year - 100 : year;
}

/**
 * Returns the longest time until a quota is there again.
 * @param {import('./index.js').Answer} answer
 */
function reset(answer) {
  const waits = (answer.header('RateLimit') ?? '')
    .split(',')
    .filter((item) => RATE_LIMIT.test(item) && NO_QUOTA.test(item))
    .map((item) => RESET.exec(item))
    .filter((found) => found !== null)
    .map((found) => Number(found[1]) * 1000);
  return waits.length === 0 ? undefined : Math.max(...waits);
}
