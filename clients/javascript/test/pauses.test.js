import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Answer, INTERACTIVE } from '../lib/index.js';
import { pauseMillis } from '../lib/backoff.js';
import { retryAfterMillis } from '../lib/retry-after.js';

const NOW = Date.UTC(2026, 10, 17, 6, 0, 0);

function wait(headers) {
  return retryAfterMillis(new Answer(503, headers), NOW);
}

test('pauses 200 to 500 ms first, then longer, and never more than 5 s', () => {
  for (let attempt = 1; attempt < 60; attempt++) {
    const longest = Math.min(5_000, 500 * 2 ** (attempt - 1));

    assert.equal(pauseMillis(INTERACTIVE, attempt, () => 0), 200);
    assert.equal(pauseMillis(INTERACTIVE, attempt, () => 0.999_999_999), longest);
    const pause = pauseMillis(INTERACTIVE, attempt, Math.random);
    assert.ok(pause >= 200 && pause <= longest, `${pause} after attempt ${attempt}`);
  }
});

test('refuses a backoff whose first pause is longer than its longest', () => {
  const backoff = { shortestMillis: 1, firstMillis: 10, longestMillis: 5 };

  assert.throws(() => pauseMillis(backoff, 1, Math.random), RangeError);
});

test('reads the three forms of a date', () => {
  assert.equal(wait({ 'Retry-After': 'Tue, 17 Nov 2026 06:00:30 GMT' }), 30_000);
  assert.equal(wait({ 'Retry-After': 'Tuesday, 17-Nov-26 06:00:30 GMT' }), 30_000);
  assert.equal(wait({ 'Retry-After': 'Tue Nov 17 06:00:30 2026' }), 30_000);
});

test('reads a year of two digits as one that is at most 50 years ahead', () => {
  assert.equal(wait({ 'Retry-After': 'Tuesday, 17-Nov-76 06:00:30 GMT' }), 600_000);
  assert.equal(wait({ 'Retry-After': 'Thursday, 17-Nov-77 06:00:30 GMT' }), 0); // Of 1977.
});

test('ignores what is not well-formed', () => {
  for (const value of ['', ' ', '-1', '1.5', 'soon', 'tue, 17 Nov 2026 06:00:30 GMT', 'Mon, 17 Nov 2026 06:00:30 GMT', 'Sun, 31 Jun 2026 06:00:30 GMT', '1, 2']) {
    assert.equal(wait({ 'Retry-After': value }), undefined, value);
  }
});

test('reads the longest reset of RateLimit, and ignores a malformed one', () => {
  assert.equal(wait({ RateLimit: '"burst";r=0;t=3,"daily";r=0;t=30' }), 30_000);
  assert.equal(wait({ RateLimit: 'limit=1, reset=30' }), undefined);
});

test('believes at most ten minutes', () => {
  assert.equal(wait({ 'Retry-After': '99999999999' }), 600_000);
});

test('a RateLimit without remaining quota is malformed, and one with quota left asks for no pause', () => {
  assert.equal(wait({ RateLimit: '"default";t=30' }), undefined);
  assert.equal(wait({ RateLimit: '"default";r=50;t=30' }), undefined);
});

test('an enormous number of seconds is capped, and not ignored', () => {
  assert.equal(wait({ 'Retry-After': '99999999999999999999' }), 600_000);
});

test('a date is measured by the clock of the server', () => {
  const headers = { Date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'Retry-After': 'Sun, 06 Nov 1994 08:50:37 GMT' };

  assert.equal(wait(headers), 60_000);
});
