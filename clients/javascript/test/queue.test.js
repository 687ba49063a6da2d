import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DuplicateOperationError, MemoryStorage, Operation, OperationStateError, RULES } from '../lib/index.js';
import { FakeServer, TestClock, URL, answer, lost, open, settled, until, user } from './support.js';

const HOUR = 60 * 60 * 1000;
const concurrent = () => answer(409, { error: { code: 'CONCURRENT_REQUEST' } });

test('tracks successful operations', async (t) => {
  const queue = await open(t, new FakeServer());
  const key = 'test-key-123';

  assert.equal(await queue.hasSucceeded(key), false);
  await queue.markSuccess(key);

  assert.equal(await queue.hasSucceeded(key), true);
});

test('prevents duplicate operations', async (t) => {
  const server = new FakeServer();
  const queue = await open(t, server);
  const first = user();
  await (await queue.enqueue(first)).result();

  const again = await queue.enqueue(user('ada', { key: first.key }));

  assert.equal((await again.result()).kind, 'done');
  assert.equal(server.requests.length, 1);
});

test('handles concurrent requests', async (t) => {
  const server = new FakeServer(concurrent);
  const queue = await open(t, server);

  const { kind } = await (await queue.enqueue(user())).result();

  assert.equal(kind, 'done');
  assert.equal(server.requests.length, 2);
  assert.equal(new Set(server.requests.map((it) => it.key)).size, 1);
});

test('does not send an operation whose key has succeeded', async (t) => {
  const server = new FakeServer();
  const queue = await open(t, server);
  const operation = user();
  await queue.markSuccess(operation.key);

  const { kind } = await (await queue.enqueue(operation)).result();

  assert.deepEqual([kind, server.requests.length], ['replayed', 0]);
});

test('forgets successes and results after 24 hours', async (t) => {
  const clock = new TestClock();
  const queue = await open(t, new FakeServer(), { clock });
  const { id, key, result } = await queue.enqueue(user());
  await result();

  clock.advance(25 * HOUR);
  await queue.enqueue(user('bob'));
  await until(async () => (await queue.list()).every((it) => it.id !== id));

  assert.equal(await queue.hasSucceeded(key), false);
});

test('keeps the answer beside the operation, also for a later run', async (t) => {
  const storage = new MemoryStorage();
  const first = await open(t, new FakeServer(), { storage });
  const { id, key } = await first.enqueue(user());
  await first.awaitResult(id);
  await first.close();

  const later = await open(t, new FakeServer(), { storage });
  const result = await later.awaitResult(id);

  assert.equal(result.kind, 'done');
  assert.deepEqual(result.answer.json(), { id: key });
  assert.equal(result.operation.key, key);
});

test('waits for the result of an operation of an earlier run', async (t) => {
  const storage = new MemoryStorage();
  const server = new FakeServer();
  const first = await open(t, server, { storage, isSender: false });
  const { id } = await first.enqueue(user());
  await first.close();

  const later = await open(t, server, { storage });

  assert.equal((await later.awaitResult(id)).kind, 'done');
});

test('refuses to wait for what it does not have', async (t) => {
  const queue = await open(t, new FakeServer());

  await assert.rejects(queue.awaitResult('nothing'), OperationStateError);
  await assert.rejects(queue.awaitResult('nothing', { signal: AbortSignal.abort(new Error('gone')) }), /gone/);
});

test('sends again under the same key what an ended sender was sending', async (t) => {
  const storage = new MemoryStorage();
  const operation = user();
  const stuck = new FakeServer((request) => (stuck.apply(request), new Promise(() => {})));
  const first = await open(t, stuck, { storage });
  await first.enqueue(operation);
  await until(() => stuck.applied.size === 1);
  const copy = await copyOf(storage); // As after a kill: the first never learns its outcome.

  const later = await open(t, stuck, { storage: copy });

  assert.equal((await later.awaitResult(operation.id)).kind, 'replayed');
  assert.equal(stuck.applied.size, 1);
});

test('does not send again without a key what an ended sender was sending', async (t) => {
  const storage = new MemoryStorage();
  const operation = user();
  const stuck = new FakeServer(() => new Promise(() => {}));
  const first = await open(t, stuck, { storage, rules: RULES.plain });
  await first.enqueue(operation);
  await until(() => stuck.requests.length === 1);

  const later = await open(t, stuck, { storage: await copyOf(storage), rules: RULES.plain });
  const result = await later.awaitResult(operation.id);

  assert.deepEqual([result.kind, result.advice, stuck.requests.length], ['unknown', 'CHECK_FIRST', 1]);
});

test('catches the same payload under another key', async (t) => {
  const server = new FakeServer();
  const queue = await open(t, server);
  const { id, result } = await queue.enqueue(user());

  await assert.rejects(queue.enqueue(user()), (failure) => failure instanceof DuplicateOperationError && failure.existingId === id);
  await result();
  await assert.rejects(queue.enqueue(user()), DuplicateOperationError);

  await queue.enqueue(user('ada', { type: 'inviteUser' }));
  await (await queue.enqueue(user(), { allowDuplicate: true })).result();
  assert.equal(server.applied.size, 3);
});

test('lets a type have duplicates', async (t) => {
  const queue = await open(t, new FakeServer(), { duplicateTypes: ['drinkWater'] });

  await queue.enqueue(user('ada', { type: 'drinkWater' }));
  await queue.enqueue(user('ada', { type: 'drinkWater' }));

  assert.equal((await queue.list()).length, 2);
});

test('refuses a key that does something else', async (t) => {
  const queue = await open(t, new FakeServer());
  const first = user();
  await queue.enqueue(first);

  await assert.rejects(queue.enqueue(user('bob', { key: first.key })), OperationStateError);
});

test('keeps a failed operation with its key and reason', async (t) => {
  const server = new FakeServer(() => answer(422, { error: { code: 'INVALID_NAME' } }));
  const queue = await open(t, server);
  const { id, key, result } = await queue.enqueue(user());

  const { kind, advice, reason } = await result();

  assert.deepEqual([kind, advice, reason], ['refused', 'CORRECT', '422 INVALID_NAME']);
  const [failed] = await queue.list({ state: 'failed' });
  assert.deepEqual([failed.id, failed.key, failed.reason], [id, key, '422 INVALID_NAME']);
});

test('resends a failed operation under the same key', async (t) => {
  const server = new FakeServer(() => answer(404));
  const queue = await open(t, server);
  const { id, key, result } = await queue.enqueue(user());
  await result();

  await queue.resend(id);

  await until(async () => (await queue.list({ state: 'done' })).length === 1);
  assert.deepEqual(server.requests.map((it) => it.key), [key, key]);
});

test('repeats a failed operation under a new key', async (t) => {
  const server = new FakeServer(() => answer(500));
  const queue = await open(t, server);
  const { id, key, result } = await queue.enqueue(user());
  assert.equal((await result()).advice, 'NEW_OPERATION');

  const repeated = await queue.repeat(id);

  assert.equal((await until(async () => (await queue.list({ state: 'done' })).length === 1), (await repeated.result()).kind), 'done');
  assert.equal(repeated.id, id);
  assert.notEqual(repeated.key, key);
  assert.deepEqual(server.requests.map((it) => it.key), [key, repeated.key]);
});

test('resends and repeats only what has failed', async (t) => {
  const queue = await open(t, new FakeServer());
  const { id, result } = await queue.enqueue(user());
  await result();

  await assert.rejects(queue.resend(id), OperationStateError);
  await assert.rejects(queue.repeat(id), OperationStateError);
});

test('gives a changed operation a new key and new attempts', async (t) => {
  const server = new FakeServer();
  const queue = await open(t, server);
  await queue.pause();
  const { id, key } = await queue.enqueue(user());

  const changed = await queue.edit(id, '{"name":"bob"}');
  await queue.resume();
  await changed.result();

  assert.equal(changed.id, id);
  assert.notEqual(changed.key, key);
  assert.deepEqual([...server.applied], [[changed.key, '{"name":"bob"}']]);
});

test('refuses to change an operation while it is being sent', async (t) => {
  const server = new FakeServer(() => new Promise(() => {}));
  const queue = await open(t, server);
  const { id } = await queue.enqueue(user());
  await until(() => server.requests.length === 1);

  await assert.rejects(queue.edit(id, '{}'), /cannot be changed: it is sending/);
});

test('sends a change after the operation that may have been sent before', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer(lost);
  const queue = await open(t, server, { clock });
  const { id, key } = await queue.enqueue(user());
  await until(async () => (await queue.list())[0].failures === 1);

  const changed = await queue.edit(id, '{"name":"bob"}');
  const changedAgain = await queue.edit(id, '{"name":"eve"}');
  clock.advance(HOUR);
  await changedAgain.result();

  assert.notEqual(changed.id, id);
  assert.equal(changedAgain.id, changed.id);
  assert.deepEqual(server.requests.map((it) => it.key), [key, key, changedAgain.key]);
  assert.deepEqual([...server.applied.values()], ['{"name":"ada"}', '{"name":"eve"}']);
});

test('sends a change in the place of a refused operation', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer(lost, () => answer(422));
  const queue = await open(t, server, { clock });
  const { id, result } = await queue.enqueue(user('ada', { orderingKey: 'user-1' }));
  await until(async () => (await queue.list())[0].failures === 1);

  const changed = await queue.edit(id, '{"name":"bob"}');
  clock.advance(HOUR);

  assert.equal((await changed.result()).kind, 'done');
  assert.equal((await result()).kind, 'refused');
  await assert.rejects(queue.resend(id), /was replaced/);
});

test('sends the operations of an ordering key in order, and one failed blocks these only', async (t) => {
  const server = new FakeServer(() => answer(422));
  const queue = await open(t, server);
  await queue.pause();
  const poison = await queue.enqueue(user('1', { orderingKey: 'a' }));
  const blocked = await queue.enqueue(user('2', { orderingKey: 'a' }));
  const others = [await queue.enqueue(user('3', { orderingKey: 'b' })), await queue.enqueue(user('4', { orderingKey: 'b' })), await queue.enqueue(user('5'))];
  await queue.resume();

  await Promise.all([poison, ...others].map((it) => it.result()));

  assert.equal((await queue.list({ state: 'pending' }))[0].id, blocked.id);
  const sent = server.requests.map((it) => JSON.parse(it.body).name);
  assert.ok(sent.indexOf('3') < sent.indexOf('4'));

  await queue.drop(poison.id);
  assert.equal((await blocked.result()).kind, 'done');
});

test('sends at most as many at the same time as allowed', async (t) => {
  let atOnce = 0;
  let most = 0;
  const server = new FakeServer();
  const slow = {
    fetch: async (url, init) => {
      most = Math.max(most, ++atOnce);
      await settled();
      atOnce--;
      return server.fetch(url, init);
    },
  };
  const queue = await open(t, slow, { concurrency: 3 });

  const handles = await Promise.all(Array.from({ length: 20 }, (_, i) => queue.enqueue(user(`u${i}`))));
  await Promise.all(handles.map((it) => it.result()));

  assert.equal(most, 3);
  assert.equal(server.applied.size, 20);
});

test('being offline uses up no attempts, and sends one request at a time to find out', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer();
  server.isOffline = true;
  const queue = await open(t, server, { clock, maxAttempts: 2, concurrency: 4, random: () => 0.5 });
  const events = [];
  queue.subscribe((event) => events.push(event.type));
  await Promise.all(Array.from({ length: 10 }, (_, i) => queue.enqueue(user(`u${i}`))));
  await until(() => server.requests.length >= 1);
  for (let i = 0; i < 30; i++) {
    clock.advance(60_000);
    await settled();
  }
  const sentOffline = server.requests.length;

  server.isOffline = false;
  clock.advance(60_000);
  await until(async () => (await queue.list({ state: 'done' })).length === 10);

  assert.ok(events.includes('offline') && events.includes('online'));
  assert.ok(sentOffline <= 4 + 30, `${sentOffline} requests`);
  assert.equal(server.applied.size, 10);
});

test('keeps its back-off across restarts', async (t) => {
  const clock = new TestClock();
  const storage = new MemoryStorage();
  const server = new FakeServer(() => answer(503, undefined, { 'Retry-After': '60' }));
  const first = await open(t, server, { clock, storage });
  const { id } = await first.enqueue(user());
  await until(async () => (await first.list())[0].attempts === 1);
  await first.close({ deadlineMillis: 0 });

  const later = await open(t, server, { clock, storage });
  await settled();
  assert.equal(server.requests.length, 1);
  clock.advance(60_000);

  assert.equal((await later.awaitResult(id)).kind, 'done');
});

for (const [name, later] of [
  ['a 409 for a request in flight', () => answer(409, { code: 'idempotency.in_flight' })],
  ['a 429 without a window', () => answer(429)],
]) {
  test(`sends again after the longest pause, under strict rules: ${name}`, async (t) => {
    const clock = new TestClock();
    const server = new FakeServer(later);
    const queue = await open(t, server, { clock, rules: RULES.strict });
    const { result } = await queue.enqueue(user());
    await until(async () => (await queue.list())[0].nextAttemptAt !== undefined);

    clock.advance(59_999);
    await settled();
    assert.equal(server.requests.length, 1);
    clock.advance(1);

    assert.equal((await result()).kind, 'done');
  });
}

test('gives up after so many answers, and keeps the operation', async (t) => {
  const server = new FakeServer(...Array.from({ length: 9 }, () => () => answer(503)));
  const queue = await open(t, server, { maxAttempts: 3 });

  const result = await (await queue.enqueue(user())).result();

  assert.deepEqual([result.kind, result.advice, result.reason], ['unknown', 'SEND_AGAIN', '3 attempts: 503']);
  assert.equal(server.requests.length, 3);
});

test('parks on 401 until the credentials change, and deletes nothing', async (t) => {
  let token = 'old';
  const server = {
    requests: 0,
    fetch: async (url, init) => {
      server.requests++;
      return new Headers(init.headers).get('authorization') === 'new' ? answer(201, {}) : answer(401);
    },
  };
  const queue = await open(t, server, { credentials: () => ({ Authorization: token }), concurrency: 1 });
  const events = [];
  queue.subscribe((event) => events.push(event.type));
  const handles = [await queue.enqueue(user('1')), await queue.enqueue(user('2'))];
  await until(() => events.includes('parked'));
  await settled();
  assert.equal(server.requests, 1);
  assert.equal((await queue.status()).parked.status, 401);

  token = 'new';
  await queue.credentialsChanged();

  assert.deepEqual((await Promise.all(handles.map((it) => it.result()))).map((it) => it.kind), ['done', 'done']);
});

test('an answer to the old credentials does not park the queue after they have changed', async (t) => {
  const clock = new TestClock();
  let answerNow;
  const server = new FakeServer(() => new Promise((resolve) => (answerNow = () => resolve(answer(401)))));
  const queue = await open(t, server, { clock });
  const { result } = await queue.enqueue(user());
  await until(() => answerNow !== undefined);

  clock.advance(1);
  await queue.credentialsChanged();
  answerNow();

  assert.equal((await result()).kind, 'done');
  assert.equal((await queue.status()).parked, undefined);
});

test('stays parked across restarts', async (t) => {
  const storage = new MemoryStorage();
  const server = new FakeServer(() => answer(401));
  const first = await open(t, server, { storage });
  const { id } = await first.enqueue(user());
  await until(async () => (await first.status()).parked !== undefined);
  await first.close();

  const later = await open(t, server, { storage });
  await settled();
  assert.equal(server.requests.length, 1);
  await later.credentialsChanged();

  assert.equal((await later.awaitResult(id)).kind, 'done');
});

test('a 403 that new credentials do not change fails its operation, not the queue', async (t) => {
  const server = new FakeServer(() => answer(403), () => answer(403));
  const queue = await open(t, server, { concurrency: 1 });
  const forbidden = await queue.enqueue(user('1'));
  const allowed = await queue.enqueue(user('2'));
  await until(async () => (await queue.status()).parked !== undefined);

  await queue.credentialsChanged();

  assert.equal((await forbidden.result()).advice, 'SIGN_IN');
  assert.equal((await allowed.result()).kind, 'done');
});

test('does not send blindly after the server may have forgotten the key', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer(lost);
  const queue = await open(t, server, { clock });
  const { id, result } = await queue.enqueue(user());
  await until(async () => (await queue.list())[0].failures === 1);
  await queue.pause();

  clock.advance(25 * HOUR);
  await queue.resume();
  const outcome = await result();

  assert.deepEqual([outcome.kind, outcome.advice, server.requests.length], ['unknown', 'CHECK_FIRST', 1]);
  await assert.rejects(queue.resend(id), /isChecked/);
  await queue.resend(id, { isChecked: true });
  await until(() => server.applied.size === 1);
});

for (const [found, kind, requests] of [
  ['TOOK_EFFECT', 'replayed', 1],
  ['DID_NOT_TAKE_EFFECT', 'done', 2],
  ['UNKNOWN', 'unknown', 1],
]) {
  test(`looks up what became of an operation whose key may be forgotten: ${found}`, async (t) => {
    const clock = new TestClock();
    const server = new FakeServer(lost);
    let isBroken = true;
    const lookup = async () => {
      if (isBroken) {
        throw new Error('no connection');
      }
      return found;
    };
    const queue = await open(t, server, { clock, lookup });
    const { key, result } = await queue.enqueue(user());
    await until(async () => (await queue.list())[0].failures === 1);
    clock.advance(25 * HOUR);
    await until(async () => (await queue.list())[0].failures === 2);
    isBroken = false;
    clock.advance(HOUR);

    const outcome = await result();

    assert.deepEqual([outcome.kind, server.requests.length], [kind, requests]);
    assert.equal(await queue.hasSucceeded(key), found !== 'UNKNOWN');
  });
}

test('sends what was stored for days and never sent', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer();
  const queue = await open(t, server, { clock });
  await queue.pause();
  const { result } = await queue.enqueue(user());

  clock.advance(72 * HOUR);
  await queue.resume();

  assert.equal((await result()).kind, 'done');
});

test('an operation that reached no server was not sent', async (t) => {
  const clock = new TestClock();
  const refused = () => {
    throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
  };
  const server = new FakeServer(refused);
  const queue = await open(t, server, { clock });
  const { result } = await queue.enqueue(user());
  await until(async () => (await queue.list())[0].failures === 1);

  clock.advance(72 * HOUR);

  assert.equal((await result()).kind, 'done');
});

test('follows a status link across attempts', async (t) => {
  const server = new FakeServer(
    () => answer(202, undefined, { Location: '/idempotency/operations/1' }),
    () => answer(200, { state: 'in_progress' }, { 'Retry-After': '1' }),
    () => answer(200, { state: 'completed' }),
    () => answer(201, {}, { 'X-Idempotency-Status': 'HIT' }),
  );
  const queue = await open(t, server, { rules: RULES.async });

  const { kind } = await (await queue.enqueue(user())).result();

  assert.equal(kind, 'replayed');
  assert.deepEqual(server.requests.map((it) => it.method), ['POST', 'GET', 'GET', 'POST']);
});

test('tells its progress', async (t) => {
  const server = new FakeServer(() => answer(503));
  const queue = await open(t, server);
  const events = [];
  const stop = queue.subscribe((event) => event.operation && events.push(event.type));

  await (await queue.enqueue(user())).result();
  stop();
  await (await queue.enqueue(user('bob'))).result();

  assert.deepEqual(events, ['pending', 'sending', 'waiting', 'sending', 'done']);
});

test('a listener that throws does not stop the queue', async (t) => {
  const queue = await open(t, new FakeServer());
  const failures = [];
  queue.subscribe(() => {
    throw new Error('of the listener');
  });
  queue.subscribe((event) => event.type === 'error' && failures.push(event.failure.message));

  assert.equal((await (await queue.enqueue(user())).result()).kind, 'done');

  assert.ok(failures.includes('of the listener'));
});

test('drains, and says how many are left', async (t) => {
  const server = new FakeServer();
  const clock = new TestClock();
  const queue = await open(t, server, { clock });
  await queue.enqueue(user());
  assert.equal(await queue.drain(), 0);

  await queue.pause();
  await queue.enqueue(user('bob'));
  const drained = queue.drain({ deadlineMillis: 1_000 });
  await settled();
  clock.advance(1_000);

  assert.equal(await drained, 1);
});

test('closing cancels what is in flight, and keeps it', async (t) => {
  const storage = new MemoryStorage();
  const server = new FakeServer(({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))));
  const first = await open(t, server, { storage });
  const { id, result } = await first.enqueue(user());
  const waiting = assert.rejects(result(), /closed/);
  await until(() => server.requests.length === 1);
  await first.close({ deadlineMillis: 0 });
  await waiting;

  const later = await open(t, server, { storage });

  assert.equal((await later.awaitResult(id)).kind, 'done');
});

test('refuses more operations than it has room for', async (t) => {
  const queue = await open(t, new FakeServer(), { maxOperations: 2 });
  await queue.pause();
  await queue.enqueue(user('1'));
  await queue.enqueue(user('2'));

  await assert.rejects(queue.enqueue(user('3')), /full/);
});

test('drops only what has failed or was never sent', async (t) => {
  const clock = new TestClock();
  const queue = await open(t, new FakeServer(lost), { clock });
  const maybe = await queue.enqueue(user());
  await until(async () => (await queue.list())[0].failures === 1);
  await queue.pause();
  const never = await queue.enqueue(user('bob'));

  await queue.drop(never.id);
  await assert.rejects(queue.drop(maybe.id), OperationStateError);

  assert.deepEqual((await queue.list()).map((it) => it.id), [maybe.id]);
});

test('one queue of several sends, and another takes over when it closes', async (t) => {
  const storage = new MemoryStorage();
  const server = new FakeServer();
  const first = await open(t, server, { storage });
  const second = await open(t, server, { storage });
  const handles = await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? first : second).enqueue(user(`u${i}`))));
  await Promise.all(handles.map((it) => second.awaitResult(it.id)));
  assert.deepEqual([(await first.status()).isSender, (await second.status()).isSender], [true, false]);

  await first.close();
  await (await second.enqueue(user('last'))).result();

  assert.equal(server.requests.length, 11);
  assert.equal(server.applied.size, 11);
});

test('sends a group one after the other', async (t) => {
  const server = new FakeServer(() => answer(503));
  const queue = await open(t, server);
  const members = ['1', '2', '3'].map((name) => ({ operation: user(name) }));

  const { handles } = await queue.enqueueGroup(members);
  await Promise.all(handles.map((it) => it.result()));

  assert.deepEqual([...server.applied.values()].map((it) => JSON.parse(it).name), ['1', '2', '3']);
});

test('undoes a group of which one is refused, in reverse', async (t) => {
  const server = new FakeServer((it) => server.apply(it), (it) => server.apply(it), () => answer(422));
  const queue = await open(t, server);
  const undo = (name) => Operation.delete(`${URL}/${name}`);
  const members = ['1', '2', '3', '4'].map((name) => ({ operation: user(name), compensation: undo(name) }));

  const { handles } = await queue.enqueueGroup(members);
  const results = await Promise.all(handles.map((it) => it.result()));
  await until(() => server.requests.length === 5);

  assert.deepEqual(results.map((it) => it.kind), ['done', 'done', 'refused', 'refused']);
  assert.deepEqual(server.requests.map((it) => `${it.method} ${it.url.slice(URL.length)}`), ['POST ', 'POST ', 'POST ', 'DELETE /2', 'DELETE /1']);
  await assert.rejects(queue.resend(handles[3].id), /group/);
});

test('undoes a group of which one is dropped, and can store it again', async (t) => {
  const server = new FakeServer((it) => server.apply(it), () => answer(500));
  const queue = await open(t, server);
  const members = ['1', '2', '3'].map((name) => ({ operation: user(name), compensation: Operation.delete(`${URL}/${name}`) }));
  const { handles } = await queue.enqueueGroup(members);
  assert.equal((await handles[1].result()).advice, 'NEW_OPERATION'); // It may have taken effect: nothing is undone yet.

  await queue.drop(handles[1].id);
  await until(() => server.requests.some((it) => it.method === 'DELETE'));
  const again = await queue.enqueueGroup(members.map(({ operation, compensation }) => ({ operation: operation.copy(), compensation: compensation.copy() })));

  assert.deepEqual((await Promise.all(again.handles.map((it) => it.result()))).map((it) => it.kind), ['done', 'done', 'done']);
});

test('stores all operations of a group or none', async (t) => {
  const queue = await open(t, new FakeServer());
  await queue.pause();
  await queue.enqueue(user('2'));

  await assert.rejects(queue.enqueueGroup([{ operation: user('1') }, { operation: user('2') }]), DuplicateOperationError);

  assert.equal((await queue.list()).length, 1);
});

async function copyOf(storage) {
  const copy = new MemoryStorage();
  const rows = await storage.transact(async (transaction) => {
    const found = [];
    for (const state of ['pending', 'sending', 'failed', 'done']) {
      found.push(...(await transaction.where('state', state)));
    }
    return found;
  });
  await copy.transact(async (transaction) => {
    for (const row of rows) {
      await transaction.put(row);
    }
  });
  return copy;
}
