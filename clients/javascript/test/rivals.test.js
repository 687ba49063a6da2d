/**
 * What other queues and clients are known to get wrong.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStorage, OnceClient, RULES } from '../lib/index.js';
import { FakeServer, QuickClock, TestClock, answer, lost, open, settled, until, user } from './support.js';

test('does not delete an operation before it is sent and its outcome is stored', async (t) => {
  const storage = new MemoryStorage();
  const inStorage = [];
  const queue = await open(t, { fetch: (...request) => server.fetch(...request) }, { storage });
  const operation = user();
  const server = new FakeServer(async (request) => {
    inStorage.push((await storage.transact((transaction) => transaction.get(operation.id))).state);
    return server.apply(request);
  });

  await (await queue.enqueue(operation)).result();

  assert.deepEqual(inStorage, ['sending']);
  assert.equal((await queue.list())[0].state, 'done');
});

test('writes before the first send, not after a failed one', async (t) => {
  const storage = new MemoryStorage();
  const server = new FakeServer();
  const queue = await open(t, server, { storage, isSender: false });

  const { id } = await queue.enqueue(user());

  assert.equal((await storage.transact((transaction) => transaction.get(id))).state, 'pending');
  assert.equal(server.requests.length, 0);
});

test('does not count a 4xx or 5xx as sent', async (t) => {
  const server = new FakeServer(() => answer(422), () => answer(500));
  const queue = await open(t, server, { concurrency: 1 });
  const handles = [await queue.enqueue(user('1')), await queue.enqueue(user('2'))];

  const results = await Promise.all(handles.map((it) => it.result()));

  assert.deepEqual(results.map((it) => it.kind), ['refused', 'refused']);
  assert.deepEqual((await queue.list({ state: 'failed' })).map((it) => it.status), [422, 500]);
  assert.equal(await queue.hasSucceeded(handles[0].key), false);
});

test('does not classify by the text of a message', async (t) => {
  const slow = () => {
    throw new TypeError('took 4003 ms: 401 400 422');
  };
  const server = new FakeServer(slow);
  const queue = await open(t, server);

  assert.equal((await (await queue.enqueue(user())).result()).kind, 'done');
});

test('does not delete operations when a session expires', async (t) => {
  const server = new FakeServer(() => answer(401));
  const queue = await open(t, server, { concurrency: 1 });
  await queue.enqueue(user('1'));
  await queue.enqueue(user('2'));

  await until(async () => (await queue.status()).parked !== undefined);
  await settled();

  assert.equal((await queue.list({ state: 'pending' })).length, 2);
});

test('is durable in every tab, not in the sending one alone', async (t) => {
  const storage = new MemoryStorage();
  const server = new FakeServer();
  await open(t, { fetch: () => new Promise(() => {}) }, { storage });
  const follower = await open(t, server, { storage });

  const { id } = await follower.enqueue(user());

  assert.ok(await storage.transact((transaction) => transaction.get(id)));
});

test('does not send again after it was interrupted in a pause', async () => {
  const controller = new AbortController();
  const clock = new TestClock();
  const server = new FakeServer(() => answer(503));
  const client = new OnceClient({ rules: RULES.mobile, clock, fetch: server.fetch });
  const sent = client.send(user(), { signal: controller.signal });
  await until(() => server.requests.length === 1);
  await settled();

  controller.abort();
  const result = await sent;
  clock.advance(60_000);
  await settled();

  assert.deepEqual([result.kind, result.isCancelled, server.requests.length], ['unknown', true, 1]);
});

test('heeds a 429 and its window', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer(() => answer(429, undefined, { 'Retry-After': '30' }));
  const queue = await open(t, server, { clock });
  const { result } = await queue.enqueue(user());
  await until(async () => (await queue.list())[0].attempts === 1);

  clock.advance(29_000);
  await settled();
  assert.equal(server.requests.length, 1);
  clock.advance(1_000);

  assert.equal((await result()).kind, 'done');
});

test('retries a reset connection, not only a refused one', async () => {
  const reset = () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
  };
  const server = new FakeServer(reset);
  const client = new OnceClient({ rules: RULES.mobile, clock: new QuickClock(), fetch: server.fetch });

  const result = await client.send(user());

  assert.deepEqual([result.kind, result.attempts[0].isSent], ['done', true]);
});

test('sends a key with every write, also if it is never sent again', async () => {
  const server = new FakeServer(lost);
  const client = new OnceClient({ rules: { ...RULES.strict, maxAttempts: 1 }, clock: new QuickClock(), fetch: server.fetch });
  const operation = user();

  await client.send(operation);

  assert.deepEqual(server.requests.map((it) => it.key), [operation.key]);
});

test('does not execute twice after it slept for three days', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer((request) => (server.apply(request), lost()));
  const queue = await open(t, server, { clock });
  const { result } = await queue.enqueue(user());
  await until(async () => (await queue.list())[0].failures === 1);
  server.applied.clear(); // The server has forgotten the key.

  clock.advance(72 * 60 * 60 * 1000);

  assert.equal((await result()).advice, 'CHECK_FIRST');
  assert.equal(server.applied.size, 0);
});

test('does not send an operation twice at the same time', async (t) => {
  const atOnce = new Map();
  const server = new FakeServer();
  const slow = async (url, init) => {
    const key = new Headers(init.headers).get('idempotency-key');
    atOnce.set(key, (atOnce.get(key) ?? 0) + 1);
    await settled();
    return server.fetch(url, init);
  };
  const storage = new MemoryStorage();
  const queues = [await open(t, { fetch: slow }, { storage }), await open(t, { fetch: slow }, { storage })];
  const handles = await Promise.all(Array.from({ length: 20 }, (_, i) => queues[i % 2].enqueue(user(`u${i}`))));

  await Promise.all(handles.map((it) => it.result()));

  assert.deepEqual(new Set(atOnce.values()), new Set([1]));
});

test('an operation that breaks the connection every time does not stop the others', async (t) => {
  const server = new FakeServer();
  const breaking = async (url, init) => {
    if (new TextDecoder().decode(init.body).includes('poison')) {
      throw new TypeError('fetch failed');
    }
    return server.fetch(url, init);
  };
  const queue = await open(t, { fetch: breaking }, { concurrency: 1, random: () => 0.5 });
  await queue.enqueue(user('poison'));
  const handles = await Promise.all(Array.from({ length: 20 }, (_, i) => queue.enqueue(user(`u${i}`))));

  await Promise.all(handles.map((it) => it.result()));

  assert.equal(server.applied.size, 20);
  assert.equal((await queue.list())[0].state === 'done', false);
});

test('an operation whose credentials cannot be had does not block the queue for ever, nor is it lost', async (t) => {
  let isBroken = true;
  const server = new FakeServer();
  const credentials = () => {
    if (isBroken) {
      throw new Error('no token');
    }
    return {};
  };
  const queue = await open(t, server, { credentials });
  const { result } = await queue.enqueue(user());
  await until(async () => (await queue.list())[0].failures > 2);

  isBroken = false;

  assert.equal((await result()).kind, 'done');
});
