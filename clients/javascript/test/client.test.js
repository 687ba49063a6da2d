import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OnceClient, Operation, RULES } from '../lib/index.js';
import { FakeServer, QuickClock, URL, answer, lost, user } from './support.js';

function clientOf(server, options = {}) {
  return new OnceClient({ rules: RULES.mobile, fetch: server.fetch, clock: new QuickClock(), random: () => 0, ...options });
}

test('sends the same key and the same bytes with every attempt', async () => {
  const server = new FakeServer(lost, () => answer(503), lost);
  const operation = user();

  const result = await clientOf(server).send(operation);

  assert.equal(result.kind, 'done');
  assert.equal(result.answer.status, 201);
  assert.deepEqual(result.attempts.map((it) => it.status ?? 'none'), ['none', 503, 'none', 201]);
  assert.deepEqual(new Set(server.requests.map((it) => it.key)), new Set([operation.key]));
  assert.deepEqual(new Set(server.requests.map((it) => it.body)), new Set(['{"name":"ada"}']));
});

test('tells a replayed answer apart', async () => {
  const server = new FakeServer((request) => (server.apply(request), lost()));

  const result = await clientOf(server).send(user());

  assert.equal(result.kind, 'replayed');
  assert.equal(server.applied.size, 1);
});

test('makes at most five attempts', async () => {
  const server = new FakeServer(...Array.from({ length: 9 }, () => answer(503)));

  const result = await clientOf(server).send(user());

  assert.equal(server.requests.length, 5);
  assert.deepEqual([result.kind, result.advice, result.mayHaveTakenEffect], ['unknown', 'SEND_AGAIN', true]);
});

test('knows that a server without its store executed nothing', async () => {
  const down = () => answer(503, { error: { code: 'IDEMPOTENCY_STORE_UNAVAILABLE' } });
  const server = new FakeServer(down, down, down, down, down);

  assert.equal((await clientOf(server).send(user())).mayHaveTakenEffect, false);
});

test('waits as long as the server asks', async () => {
  const clock = new QuickClock();
  const server = new FakeServer(() => answer(503, undefined, { 'Retry-After': '7' }), () => answer(429, undefined, { 'Retry-After': '3' }));

  await clientOf(server, { clock }).send(user());

  assert.deepEqual(clock.pauses, [7_000, 3_000]);
});

test('does not wait beyond the deadline', async () => {
  const server = new FakeServer(() => answer(503, undefined, { 'Retry-After': '7' }));

  const result = await clientOf(server).send(user(), { deadlineMillis: 5_000 });

  assert.deepEqual([result.kind, result.retryAfterMillis, server.requests.length], ['unknown', 7_000, 1]);
});

test('ends an attempt that takes too long', async () => {
  const never = ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const server = new FakeServer(never);

  const result = await clientOf(server, { timeoutMillis: 20 }).send(user());

  assert.equal(result.kind, 'done');
  assert.equal(result.attempts[0].failure, 'no complete answer within 20 ms');
});

test('refuses what the server refuses, with advice', async () => {
  const server = new FakeServer(() => answer(422, { error: { code: 'INVALID' } }));

  const result = await clientOf(server).send(user());

  assert.deepEqual([result.kind, result.advice, result.answer.code, result.mayHaveTakenEffect], ['refused', 'CORRECT', 'INVALID', false]);
});

test('offers a new operation when the server keeps its failure', async () => {
  const server = new FakeServer(() => answer(500));

  const result = await clientOf(server).send(user());

  assert.deepEqual([result.kind, result.advice, result.mayHaveTakenEffect], ['refused', 'NEW_OPERATION', true]);
  assert.equal(server.requests.length, 1);
});

test('a refusal of credentials says nothing about earlier attempts', async () => {
  const server = new FakeServer(lost, () => answer(401));

  const result = await clientOf(server).send(user());

  assert.deepEqual([result.advice, result.mayHaveTakenEffect], ['SIGN_IN', true]);
});

test('does not send a POST again without a key, of which something may have been sent', async () => {
  const server = new FakeServer(lost);

  const result = await clientOf(server, { rules: RULES.plain }).send(user());

  assert.deepEqual([result.kind, result.advice, server.requests.length], ['unknown', 'CHECK_FIRST', 1]);
});

test('sends a POST again without a key when no connection came about', async () => {
  const refused = () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
  };
  const server = new FakeServer(refused);

  assert.equal((await clientOf(server, { rules: RULES.plain }).send(user())).kind, 'done');
});

test('follows the link of a 202, and then asks again', async () => {
  const server = new FakeServer(
    () => answer(202, undefined, { Location: '/idempotency/operations/1' }),
    () => answer(200, { state: 'in_progress' }, { 'Retry-After': '1' }),
    () => answer(200, { state: 'completed' }),
    () => answer(201, {}, { 'X-Idempotency-Status': 'HIT' }),
  );
  const operation = user();

  const result = await clientOf(server, { rules: RULES.async }).send(operation);

  assert.equal(result.kind, 'replayed');
  assert.deepEqual(server.requests.map((it) => it.method), ['POST', 'GET', 'GET', 'POST']);
  assert.equal(server.requests[1].url, 'https://api.example/idempotency/operations/1');
  assert.ok(server.requests.every((it) => it.key === operation.key));
});

test('does not follow a link to another server', async () => {
  const server = new FakeServer(() => answer(202, undefined, { Location: 'https://elsewhere.example/1' }));

  await clientOf(server, { rules: RULES.async }).send(user());

  assert.deepEqual(server.requests.map((it) => it.url), [URL, URL]);
});

test('reads again, and sends the change as a new operation, when others have changed the resource', async () => {
  let version = 1;
  const keys = new Set();
  const fetch = async (_, init) => {
    const headers = new Headers(init.headers);
    if (init.method === 'GET') {
      return answer(200, { pairs: version }, { ETag: `"${version}"` });
    }
    keys.add(headers.get('idempotency-key'));
    if (version < 3) {
      version++; // Another caller was faster.
    }
    return headers.get('if-match') === `"${version}"` ? answer(200, {}) : answer(412);
  };
  const change = (read) => Operation.put(URL, { ifMatch: read.header('ETag'), json: { pairs: read.json().pairs + 1 } });

  const result = await clientOf({ fetch }).update(URL, change);

  assert.deepEqual([result.kind, keys.size], ['done', 3]);
});

test('gives up a change after so many tries', async () => {
  const fetch = async (_, init) => (init.method === 'GET' ? answer(200, {}, { ETag: '"1"' }) : answer(412));

  const result = await clientOf({ fetch }).update(URL, (read) => Operation.put(URL, { ifMatch: read.header('ETag') }), { maxTries: 2 });

  assert.deepEqual([result.kind, result.advice], ['refused', 'REFETCH']);
});

test('asks for credentials before every attempt', async () => {
  let token = 0;
  const server = new FakeServer(lost);

  await clientOf(server, { credentials: async () => ({ Authorization: `Bearer ${++token}` }) }).send(user());

  assert.deepEqual(server.requests.map((it) => it.headers.get('authorization')), ['Bearer 1', 'Bearer 2']);
});

test('does not follow redirects', async () => {
  let redirect;
  const client = new OnceClient({ fetch: async (_, init) => ((redirect = init.redirect), answer(307, undefined, { Location: 'https://elsewhere.example' })) });

  const result = await client.send(user());

  assert.deepEqual([redirect, result.kind, result.advice], ['manual', 'unknown', 'CHECK_FIRST']);
});

test('a cancelled call ends the attempt and makes no other', async () => {
  const controller = new AbortController();
  const server = new FakeServer(({ signal }) => {
    controller.abort();
    signal.throwIfAborted();
  });

  const result = await clientOf(server).send(user(), { signal: controller.signal });

  assert.deepEqual([result.kind, result.isCancelled, result.mayHaveTakenEffect, server.requests.length], ['unknown', true, true, 1]);
});

test('a call that is cancelled before it is made sends nothing', async () => {
  const server = new FakeServer();

  const result = await clientOf(server).send(user(), { signal: AbortSignal.abort() });

  assert.deepEqual([result.kind, result.mayHaveTakenEffect, server.requests.length], ['unknown', false, 0]);
});

test('cuts an answer that is too long', async () => {
  const chunk = new Uint8Array(1 << 20);
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
  const server = new FakeServer(() => new Response(endless, { status: 200 }));

  const { answer: got } = await clientOf(server).send(user());

  assert.deepEqual([got.isComplete, got.body.length], [false, 8 << 20]);
});

test('sends no body where there is none', async () => {
  let body = 'unset';
  const client = new OnceClient({ fetch: async (_, init) => ((body = init.body), answer(204)) });

  await client.send(Operation.delete(`${URL}/1`));

  assert.equal(body, undefined);
});

test('a write without a key that is cancelled is checked first', async () => {
  const controller = new AbortController();
  const server = new FakeServer(({ signal }) => {
    controller.abort();
    signal.throwIfAborted();
  });

  const { kind, advice } = await clientOf(server, { rules: RULES.plain }).send(user(), { signal: controller.signal });

  assert.deepEqual([kind, advice], ['unknown', 'CHECK_FIRST']);
});

for (const link of ['http://[', '/status of it', '//', '\u0000']) {
  test(`a status link that is no address leaves the outcome unknown: ${JSON.stringify(link)}`, async () => {
    const response = { status: 202, headers: new Map([['location', link]]), body: null };
    const server = { fetch: async () => response };

    assert.equal((await clientOf(server, { rules: RULES.async }).send(user())).kind, 'unknown');
  });
}

test('the deadline holds for a slow status link', async () => {
  const hanging = ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const server = new FakeServer(() => answer(202, undefined, { Location: '/status' }), hanging, hanging, hanging);
  const rules = { ...RULES.async, inFlightPauseMillis: 10, backoff: { shortestMillis: 0, firstMillis: 0, longestMillis: 0 } };
  const client = new OnceClient({ rules, fetch: server.fetch });
  const start = performance.now();

  const result = await client.send(user(), { deadlineMillis: 300 });

  assert.equal(result.kind, 'unknown');
  assert.ok(performance.now() - start < 2_000);
});

test('follows a status link within the most attempts', async () => {
  const server = new FakeServer(...Array.from({ length: 50 }, () => () => answer(202, undefined, { Location: '/status' })));

  const result = await clientOf(server, { rules: RULES.async }).send(user(), { deadlineMillis: 600_000 });

  assert.ok(result.attempts.length <= RULES.async.maxAttempts);
});

test('a status that is asked for too often is asked for again later, and the write is not repeated', async () => {
  const server = new FakeServer(
    () => answer(202, undefined, { Location: '/status' }),
    () => answer(429, undefined, { 'Retry-After': '1' }),
    () => answer(200, { state: 'completed' }),
  );

  await clientOf(server, { rules: RULES.async }).send(user());

  assert.deepEqual(server.requests.map((it) => it.method), ['POST', 'GET', 'GET', 'POST']);
});

test('asks caches for nothing', async () => {
  const caches = [];
  const client = new OnceClient({ fetch: async (_, init) => (caches.push(init.cache), answer(init.method === 'GET' ? 200 : 204)) });

  await client.update(URL, () => Operation.put(URL));

  assert.deepEqual(caches, ['no-store', 'no-store']);
});

test('credentials and the key come before headers of the same name', async () => {
  const server = new FakeServer();
  const operation = user('ada', { headers: { 'idempotency-KEY': 'another', 'X-Tenant': 'mine' } });

  await clientOf(server, { credentials: () => ({ 'x-tenant': 'yours' }) }).send(operation);

  const { headers } = server.requests[0];
  assert.deepEqual([headers.get('idempotency-key'), headers.get('x-tenant')], [operation.key, 'mine']);
});

test('credentials are not in a result, whatever is wrong with them', async () => {
  for (const credentials of [() => ({ Authorization: 's3\ncret' }), () => ({ Authorization: 's3cret\u2026' }), () => Promise.reject(new Error('s3cret')), () => ({ 'bad name': 's3cret' })]) {
    const result = await clientOf({ fetch }, { credentials }).send(user());

    assert.deepEqual([result.kind, result.advice, result.mayHaveTakenEffect], ['unknown', 'SEND_AGAIN', false]);
    assert.equal(/s3/.test(JSON.stringify(result)), false);
  }
});

test('an effect whose answer is unreadable, or was not kept, is checked first', async () => {
  for (const [status, code] of [[500, 'IDEMPOTENCY_OUTCOME_UNREADABLE'], [409, 'idempotency.answer_not_kept']]) {
    const result = await clientOf(new FakeServer(() => answer(status, { error: { code } }))).send(user());

    assert.deepEqual([result.kind, result.advice, result.mayHaveTakenEffect], ['unknown', 'CHECK_FIRST', true]);
  }
});

test('a version mismatch of the contract mobile asks to refetch', async () => {
  const server = new FakeServer(() => answer(409, { error: { code: 'CONCURRENCY_VERSION_MISMATCH' } }));

  assert.equal((await clientOf(server).send(user())).advice, 'REFETCH');
});

test('an answer that is cut is there although the rest never comes', async () => {
  const chunk = new Uint8Array(9 << 20);
  const stream = new ReadableStream({ pull: (controller) => controller.enqueue(chunk), cancel: () => new Promise(() => {}) });
  const server = new FakeServer(() => new Response(stream, { status: 200 }));

  assert.equal((await clientOf(server).send(user())).answer.isComplete, false);
});

test('refuses a deadline that is none', async () => {
  await assert.rejects(clientOf(new FakeServer()).send(user(), { deadlineMillis: NaN }), RangeError);
});
