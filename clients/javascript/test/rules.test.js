import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Answer, RULES, decide } from '../lib/index.js';
import { keyHeaders } from '../lib/rules.js';

const cases = JSON.parse(readFileSync(new globalThis.URL('../../retry-cases.json', import.meta.url), 'utf8'));

/** As the contract in question writes an error. */
function body(rules, code) {
  const json = { mobile: { error: { code } }, stripe: { error: { type: code } } }[rules] ?? { code };
  return new TextEncoder().encode(JSON.stringify(json));
}

for (const it of cases) {
  test(`${it.rules}: ${it.name} (${it.method} ${it.status ?? it.failure})`, () => {
    const outcome = it.status
      ? { answer: new Answer(it.status, it.headers ?? {}, it.code && body(it.rules, it.code)), isSent: true }
      : { failure: it.failure, isSent: it.sent };

    const { link, ...decision } = decide(RULES[it.rules], it.method, outcome);

    assert.deepEqual(decision, it.expect);
    assert.equal(link, it.expect.decision === 'follow' ? it.headers.Location : undefined);
  });
}

test('sends the key as the contract wants it', () => {
  assert.deepEqual(keyHeaders(RULES.strict, 'k'), { 'Idempotency-Key': 'k' });
  assert.deepEqual(keyHeaders(RULES.ietf, 'k'), { 'Idempotency-Key': '"k"' });
  assert.deepEqual(keyHeaders(RULES.plain, 'k'), {});
});

test('can be changed by copying', () => {
  const mine = { ...RULES.strict, name: 'mine', retriedStatuses: [500] };

  const { decision } = decide(mine, 'POST', { answer: new Answer(500, {}), isSent: true });

  assert.equal(decision, 'retry');
});
