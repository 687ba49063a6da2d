/**
 * Damaged rows, clocks, storages that fail, and applications that err: the queue goes on.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { MemoryStorage, Operation, RULES, StorageError } from '../lib/index.js';
import { SqliteStorage } from '../lib/storage-sqlite.js';
import { FakeServer, TestClock, URL, answer, fileOf, lost, open, settled, until, user } from './support.js';

const HOUR = 60 * 60 * 1000;
const YEAR = 365 * 24 * HOUR;

/** A queue without a sender, whose rows are then changed. */
async function stored(t, storage, ...operations) {
  const writer = await open(t, new FakeServer(), { storage, isSender: false });
  for (const operation of operations) {
    await writer.enqueue(operation);
  }
}

async function damage(storage, id, change) {
  await storage.transact(async (transaction) => {
    await transaction.put({ ...(await transaction.get(id)), ...change });
  });
}

for (const [name, change] of [
  ['an address that is none', { url: 'nonsense' }],
  ['no address', { url: undefined }],
  ['no history', { history: undefined }],
  ['no headers', { headers: null }],
  ['no next attempt', { nextAttemptAt: undefined }],
  ['a body that is none', { body: 7 }],
  ['no history, while it was being sent', { history: 'x', state: 'sending' }],
  ['an unknown state', { state: 'sleeping' }],
]) {
  test(`a row that cannot be read blocks nothing else: ${name}`, async (t) => {
    const storage = new MemoryStorage();
    const [poison, healthy] = [user('poison'), user('healthy')];
    await stored(t, storage, poison, healthy);
    await damage(storage, poison.id, change);
    const server = new FakeServer();

    const queue = await open(t, server, { storage });

    assert.equal((await queue.awaitResult(healthy.id)).kind, 'done');
    assert.deepEqual([...server.applied.keys()], [healthy.key]);
    await assert.rejects(queue.edit(poison.id, '{}'), /cannot be read/);
  });
}

test('a row that cannot be read, and was being sent, blocks nothing else in a file', async (t) => {
  const file = fileOf(t);
  const [poison, healthy] = [user('poison'), user('healthy')];
  await stored(t, new SqliteStorage(file), poison, healthy);
  const database = new DatabaseSync(file);
  database.prepare(`UPDATE once_operation SET details = '{', state = 'sending' WHERE id = ?`).run(poison.id);
  database.close();

  const queue = await open(t, new FakeServer(), { storage: new SqliteStorage(file) });

  assert.equal((await queue.awaitResult(healthy.id)).kind, 'done');
  await assert.rejects(queue.awaitResult(poison.id), /cannot be read/);
});

test('an operation with the most headers, or without a body, is sent as it was stored', async (t) => {
  const server = new FakeServer();
  const queue = await open(t, server, { storage: new SqliteStorage(fileOf(t)) });
  const headers = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`X-H${i}`, 'v']));

  const { result } = await queue.enqueue(Operation.delete(`${URL}/1`, { headers }));

  assert.equal((await result()).kind, 'done');
  assert.equal(server.requests[0].headers.get('x-h49'), 'v');
});

test('credentials that HTTP does not allow fail the operation in the end, and are shown nowhere', async (t) => {
  const file = fileOf(t);
  const storage = new SqliteStorage(file);
  const queue = await open(t, { fetch }, { storage, credentials: () => ({ Authorization: 'Bearer s3\ncret' }) });
  const events = [];
  queue.subscribe((event) => events.push(event));

  const result = await (await queue.enqueue(user())).result();
  await queue.close();

  assert.deepEqual([result.kind, result.advice, result.mayHaveTakenEffect], ['unknown', 'SEND_AGAIN', false]);
  assert.equal(JSON.stringify([events, result]).includes('cret'), false);
  assert.equal(readFileSync(file).includes('cret'), false);
});

test('credentials that never come end the attempt, not the queue', async (t) => {
  const server = new FakeServer();
  let isHanging = true;
  const credentials = () => (isHanging ? new Promise(() => {}) : {});
  const queue = await open(t, server, { credentials, timeoutMillis: 20, concurrency: 1 });
  const { result } = await queue.enqueue(user());
  await until(async () => (await queue.list())[0].failures > 0);

  isHanging = false;

  assert.equal((await result()).kind, 'done');
});

test('an edit of a refused operation with an ordering key is sent', async (t) => {
  const queue = await open(t, new FakeServer(() => answer(422)));
  const { id, result } = await queue.enqueue(user('typo', { orderingKey: 'a' }));
  await result();

  assert.equal((await (await queue.edit(id, '{"name":"right"}')).result()).kind, 'done');
});

test('storing an operation again is no error, and stores nothing', async (t) => {
  const queue = await open(t, new FakeServer());
  const operation = user();
  const first = await queue.enqueue(operation);

  const again = await queue.enqueue(operation);

  assert.equal(again.id, first.id);
  assert.equal((await queue.list()).length, 1);
});

test('another request under the same id and key is refused', async (t) => {
  const queue = await open(t, new FakeServer());
  const first = user();
  await queue.enqueue(first);

  await assert.rejects(queue.enqueue(user('bob', { id: first.id, key: first.key })), /something else/);
  await assert.rejects(queue.enqueue(user('bob', { id: first.id })), /in the queue already/);
});

test('the same change of a new version is no duplicate', async (t) => {
  const queue = await open(t, new FakeServer(() => answer(412)));
  const change = (version) => Operation.put(`${URL}/1`, { json: {}, ifMatch: version });
  assert.equal((await (await queue.enqueue(change('"1"'))).result()).advice, 'REFETCH');

  assert.equal((await (await queue.enqueue(change('"2"'))).result()).kind, 'done');
});

test('a clock that was set back does not stop the queue', async (t) => {
  const storage = new MemoryStorage();
  const clock = new TestClock();
  const operation = user();
  await stored(t, storage, operation);
  await damage(storage, operation.id, { nextAttemptAt: clock.now() + YEAR, waitsFor: 'server' });

  const queue = await open(t, new FakeServer(), { storage, clock });

  assert.equal((await queue.awaitResult(operation.id)).kind, 'done');
});

test('a clock that is set back while a server cannot be reached does not stop the queue', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer(lost);
  const queue = await open(t, server, { clock });
  const { result } = await queue.enqueue(user());
  await until(async () => (await queue.list())[0].failures === 1);

  clock.setBack(YEAR);
  clock.advance(60_000);

  assert.equal((await result()).advice, 'CHECK_FIRST'); // It was sent in a future: how long ago is not known.
});

test('a 401 after the clock was set back parks the queue', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer(...Array.from({ length: 50 }, () => () => answer(401)));
  const queue = await open(t, server, { clock });
  await queue.credentialsChanged();
  clock.setBack(YEAR);
  await queue.enqueue(user());

  await until(async () => (await queue.status()).parked !== undefined);
  await settled();

  assert.equal(server.requests.length, 1);
});

test('an answer to old credentials does not park the queue, in the same millisecond either', async (t) => {
  let answerNow;
  const server = new FakeServer(() => new Promise((resolve) => (answerNow = () => resolve(answer(401)))));
  const queue = await open(t, server, { clock: new TestClock() });
  const { result } = await queue.enqueue(user());
  await until(() => answerNow !== undefined);
  await queue.credentialsChanged();
  answerNow();

  assert.equal((await result()).kind, 'done');
});

test('a refusal of credentials is not a send', async (t) => {
  const clock = new TestClock();
  const queue = await open(t, new FakeServer(() => answer(401)), { clock });
  const { result } = await queue.enqueue(user());
  await until(async () => (await queue.status()).parked !== undefined);

  clock.advance(72 * HOUR); // A long weekend passes.
  await queue.credentialsChanged();

  assert.equal((await result()).kind, 'done');
});

test('an attempt that would end after the server forgets the key is not made', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer(lost);
  const queue = await open(t, server, { clock });
  const { result } = await queue.enqueue(user());
  await until(async () => (await queue.list())[0].failures === 1);
  await queue.pause();

  clock.advance(24 * HOUR - 1_000);
  await queue.resume();

  assert.deepEqual([(await result()).advice, server.requests.length], ['CHECK_FIRST', 1]);
});

test('resending to a server without keys asks for a check first', async (t) => {
  const server = new FakeServer(lost);
  const queue = await open(t, server, { rules: RULES.plain });
  const { id, result } = await queue.enqueue(user());
  assert.equal((await result()).advice, 'CHECK_FIRST');

  await assert.rejects(queue.resend(id), /isChecked/);

  assert.equal(server.requests.length, 1);
});

test('a large answer is kept without its body', async (t) => {
  const queue = await open(t, new FakeServer(() => answer(201, 'x'.repeat(1 << 20))));

  const result = await (await queue.enqueue(user())).result();

  assert.deepEqual([result.kind, result.answer.status, result.answer.isComplete, result.answer.body.length], ['done', 201, false, 0]);
});

test('answers for which there is no room do not make operations unending', async (t) => {
  const server = new FakeServer(...Array.from({ length: 8 }, () => (it) => (server.apply(it), answer(201, 'x'.repeat(90_000)))));
  const queue = await open(t, server, { storage: new SqliteStorage(fileOf(t), { maxBytes: 100_000 }) });
  await queue.pause();
  const handles = await Promise.all(Array.from({ length: 4 }, (_, i) => queue.enqueue(user(`u${i}`))));
  await queue.resume();

  const results = await Promise.all(handles.map((it) => it.result()));

  assert.deepEqual(results.map((it) => it.kind), ['done', 'done', 'done', 'done']);
  assert.equal(server.requests.length, 4);
});

test('an outcome that cannot be stored is stored later, and not sent again', async (t) => {
  const storage = new MemoryStorage();
  const transact = storage.transact.bind(storage);
  let isFull = false;
  storage.transact = (work) => (isFull ? Promise.reject(new StorageError('full')) : transact(work));
  const server = new FakeServer((it) => ((isFull = true), server.apply(it)));
  const queue = await open(t, server, { storage });
  const failures = [];
  queue.subscribe((event) => event.type === 'error' && failures.push(event.failure.message));
  const { result } = await queue.enqueue(user());
  await until(() => failures.length > 3);

  isFull = false;

  assert.equal((await result()).kind, 'done');
  assert.equal(server.requests.length, 1);
});

test('a lookup that fails does not make the sender spin', async (t) => {
  const clock = new TestClock();
  let lookups = 0;
  const lookup = async () => {
    lookups++;
    throw new Error('no connection');
  };
  const queue = await open(t, new FakeServer(lost), { clock, lookup });
  await queue.enqueue(user());
  await until(async () => (await queue.list())[0].failures === 1);
  clock.advance(25 * HOUR);
  for (let i = 0; i < 100; i++) {
    clock.advance(100);
    await settled();
  }

  assert.ok(lookups > 0 && lookups < 20, `${lookups} lookups in 10 seconds`);
});

test('a lookup that never ends does not keep the queue from closing', async (t) => {
  const clock = new TestClock();
  let isAsked = false;
  const lookup = () => new Promise(() => (isAsked = true));
  const queue = await open(t, new FakeServer(lost), { clock, lookup });
  await queue.enqueue(user());
  await until(async () => (await queue.list())[0].failures === 1);
  clock.advance(25 * HOUR);
  await until(() => isAsked);

  await queue.close({ deadlineMillis: 0 });
});

test('a status link that is no address does not make the sender spin', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer(() => answer(202, undefined, { Location: 'http://[' }));
  const queue = await open(t, server, { clock, rules: RULES.async });
  const { result } = await queue.enqueue(user());
  await until(() => server.requests.length === 1);
  await settled();
  assert.equal(server.requests.length, 1);

  clock.advance(60_000);

  assert.equal((await result()).kind, 'done');
});

test('waiting for another request with the key uses up no attempts', async (t) => {
  const server = new FakeServer(...Array.from({ length: 9 }, () => () => answer(409, { error: { code: 'CONCURRENT_REQUEST' } })));
  const queue = await open(t, server, { maxAttempts: 3 });

  assert.equal((await (await queue.enqueue(user())).result()).kind, 'done');
});

test('a listener whose promise is rejected does not end the process', async (t) => {
  const queue = await open(t, new FakeServer());
  const failures = [];
  queue.subscribe(async () => Promise.reject(new Error('of the listener')));
  queue.subscribe((event) => event.type === 'error' && failures.push(event.failure.message));

  assert.equal((await (await queue.enqueue(user())).result()).kind, 'done');
  await settled();

  assert.ok(failures.includes('of the listener'));
});

test('tells a user interface that an operation of an earlier run was dropped', async (t) => {
  const storage = new MemoryStorage();
  const operation = user();
  await stored(t, storage, operation);
  const queue = await open(t, new FakeServer(), { storage, isSender: false });
  const events = [];
  queue.subscribe((event) => events.push([event.type, event.id]));

  await queue.drop(operation.id);
  await settled();

  assert.deepEqual(events.filter(([type]) => type === 'removed'), [['removed', operation.id]]);
});

test('cookies of an answer are not stored', async (t) => {
  const file = fileOf(t);
  const queue = await open(t, new FakeServer(() => answer(201, {}, { 'Set-Cookie': 'session=s3cret', 'WWW-Authenticate': 's3cret' })), { storage: new SqliteStorage(file) });

  await (await queue.enqueue(user())).result();
  await queue.close();

  assert.equal(readFileSync(file).includes('s3cret'), false);
});

test('a redirect is no refusal', async (t) => {
  const queue = await open(t, new FakeServer(() => answer(303, undefined, { Location: '/orders/7' })));

  assert.equal((await (await queue.enqueue(user())).result()).advice, 'CHECK_FIRST');
});

test('a replayed refusal of a right ends the operation', async (t) => {
  const replayed = () => answer(403, undefined, { 'Idempotency-Replayed': 'true' });
  const queue = await open(t, new FakeServer(() => answer(403), replayed));
  const { result } = await queue.enqueue(user());
  await until(async () => (await queue.status()).parked !== undefined);

  await queue.credentialsChanged();

  assert.equal((await result()).kind, 'refused');
});

test('an operation whose answer was too large to keep is not to be corrected', async (t) => {
  const server = new FakeServer(lost, () => answer(409, { code: 'idempotency.answer_not_kept' }));
  const queue = await open(t, server, { rules: RULES.strict });

  const result = await (await queue.enqueue(user())).result();

  assert.deepEqual([result.advice, result.mayHaveTakenEffect], ['CHECK_FIRST', true]);
});

test('a long code of an error is cut', async (t) => {
  const queue = await open(t, new FakeServer(() => answer(422, { error: { code: 'x'.repeat(100_000) } })));

  assert.ok((await (await queue.enqueue(user())).result()).reason.length <= 501);
});

test('results that are kept take no room from new operations', async (t) => {
  const queue = await open(t, new FakeServer(), { maxOperations: 2 });
  for (const name of ['1', '2', '3', '4']) {
    await (await queue.enqueue(user(name))).result();
  }

  assert.equal((await queue.list({ state: 'done' })).length, 4);
});

test('the lock that decides which process sends is asked for again after it failed', async (t) => {
  const storage = new MemoryStorage();
  const lead = storage.lead.bind(storage);
  let failures = 0;
  storage.lead = async (...all) => (failures++ < 3 ? Promise.reject(new Error('no lock')) : lead(...all));
  const queue = await open(t, new FakeServer(), { storage });

  assert.equal((await (await queue.enqueue(user())).result()).kind, 'done');
});

test('a sender whose lock is taken away stops, and what it was sending is sent by the next', async (t) => {
  const storage = new MemoryStorage();
  const taken = new AbortController();
  const leaders = [];
  storage.lead = async (signal, work) => {
    leaders.push(work);
    await (leaders.length === 1 ? work(taken.signal) : new Promise((resolve) => signal.addEventListener('abort', resolve)));
  };
  let answerLate;
  const server = new FakeServer(({ signal, ...it }) => new Promise((resolve) => (answerLate = () => resolve(server.apply(it)))));
  const frozen = await open(t, server, { storage });
  const { id } = await frozen.enqueue(user());
  await until(() => answerLate !== undefined);
  taken.abort();
  await until(async () => !(await frozen.status()).isSender && leaders.length === 2);

  storage.lead = async (signal, work) => work(new AbortController().signal);
  const next = await open(t, server, { storage });

  assert.equal((await next.awaitResult(id)).kind, 'done');
  answerLate();
  await settled();
  assert.equal((await next.list())[0].state, 'done');
  assert.equal(server.applied.size, 1);
});

test('a write in another process does not stop this one, and reads do not wait for it', async (t) => {
  const file = fileOf(t);
  const queue = await open(t, new FakeServer(), { storage: new SqliteStorage(file), isSender: false });
  const { id } = await queue.enqueue(user());
  const program = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(${JSON.stringify(file)});
    database.exec('BEGIN IMMEDIATE');
    console.log('writing');
    process.stdin.once('data', () => { database.exec('COMMIT'); process.exit(0); });`;
  const other = spawn(process.execPath, ['--no-warnings', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => other.kill('SIGKILL'));
  await once(other.stdout, 'data');

  const start = performance.now();
  assert.equal((await queue.list())[0].id, id);
  const second = queue.enqueue(user('2'));
  await settled();
  const millis = performance.now() - start;
  other.stdin.write('end\n');

  assert.ok((await second).id);
  assert.ok(millis < 1_000, `the process stood still for ${millis} ms`);
});

test('the answer of a success that comes late is kept, if no other sender has claimed the operation', async (t) => {
  const storage = new MemoryStorage();
  const clock = new TestClock();
  let answerLate;
  const server = new FakeServer(({ signal, ...it }) => new Promise((resolve) => (answerLate = () => resolve(server.apply(it)))));
  const late = await open(t, server, { storage, clock });
  const { id } = await late.enqueue(user());
  await until(() => answerLate !== undefined);
  // The next sender has found it as being sent, and will send it again later.
  await storage.transact(async (transaction) => {
    const row = await transaction.get(id);
    await transaction.put({ ...row, state: 'pending', nextAttemptAt: clock.now() + 60_000 });
  });

  answerLate();
  await until(async () => (await late.list())[0].state === 'done');

  assert.equal((await late.awaitResult(id)).answer?.status, 201);
  assert.equal(server.requests.length, 1);
});

test('a storage belongs to the contract by which its operations were sent', async (t) => {
  const file = fileOf(t);
  const server = new FakeServer(lost);
  server.isOffline = true;
  const first = await open(t, server, { storage: new SqliteStorage(file), rules: RULES.mobile });
  const { id } = await first.enqueue(user());
  await until(async () => (await first.list())[0].firstSentAt !== undefined);
  await first.close({ deadlineMillis: 0 });

  await assert.rejects(open(t, server, { storage: new SqliteStorage(file), rules: RULES.ietf }), /contract mobile, and this client has ietf/);
  const renamed = { ...RULES.mobile, name: 'mine', maxAttempts: 7 };
  const again = await open(t, server, { storage: new SqliteStorage(file), rules: renamed });
  server.isOffline = false;
  assert.equal((await again.awaitResult(id)).kind, 'done');
  await again.close();

  const other = await open(t, server, { storage: new SqliteStorage(file), rules: RULES.ietf });
  assert.equal((await (await other.enqueue(user('grace'))).result()).kind, 'done');
});

test('a sender stops when another process has opened its storage by another contract', async (t) => {
  const storage = new MemoryStorage();
  const server = new FakeServer();
  const first = await open(t, server, { storage, rules: RULES.mobile });
  const failures = [];
  first.subscribe((event) => event.type === 'error' && failures.push(String(event.failure)));
  await storage.transact((transaction) => transaction.putSetting('contract', 'ietf'));

  await first.enqueue(user());
  await until(() => failures.length > 0);

  assert.match(failures[0], /contract ietf, and this client has mobile/);
  assert.equal(server.requests.length, 0);
});
