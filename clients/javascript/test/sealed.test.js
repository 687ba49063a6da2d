/**
 * Encryption of what a queue stores.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { MemoryStorage, Operation, OperationStateError } from '../lib/index.js';
import { SqliteStorage } from '../lib/storage-sqlite.js';
import { FakeServer, URL, answer, fileOf, open, settled, until, user } from './support.js';

const KEY = new Uint8Array(32).fill(7);
const RING = { current: 'k1', keys: { k1: KEY } };
const SECRET = 'diabetes';

/** An operation with the secret in its query, headers and body. */
function secretOperation(options = {}) {
  const headers = { 'X-Note': SECRET };
  return Operation.post(`${URL}?about=${SECRET}`, { type: 'note', headers, json: { note: SECRET }, ...options });
}

async function rowOf(storage, id) {
  return storage.transact((transaction) => transaction.get(id));
}

async function change(storage, id, changes) {
  await storage.transact(async (transaction) => {
    await transaction.put({ ...(await transaction.get(id)), ...changes });
  });
}

test('neither request nor answer is in the file, and both come back', async (t) => {
  const file = fileOf(t);
  const server = new FakeServer(() => answer(201, { of: SECRET }, { 'X-Of': SECRET }));
  const queue = await open(t, server, { storage: new SqliteStorage(file), keyRing: RING });
  const operation = secretOperation();

  const result = await (await queue.enqueue(operation)).result();
  await queue.close();

  assert.deepEqual(result.operation, operation);
  assert.deepEqual([result.answer.json(), result.answer.header('x-of')], [{ of: SECRET }, SECRET]);
  assert.deepEqual([server.requests[0].url, server.requests[0].headers.get('x-note')], [`${URL}?about=${SECRET}`, SECRET]);
  for (const name of readdirSync(dirname(file))) {
    assert.equal(readFileSync(join(dirname(file), name)).includes(SECRET), false, name);
  }
});

test('compensations and changes are sealed too', async (t) => {
  const file = fileOf(t);
  const server = new FakeServer((it) => server.apply(it), () => answer(422));
  const queue = await open(t, server, { storage: new SqliteStorage(file), keyRing: RING });
  await queue.pause();
  const compensation = secretOperation();
  const { handles } = await queue.enqueueGroup([{ operation: user('1'), compensation }, { operation: user('2') }]);
  await queue.edit(handles[1].id, JSON.stringify({ changed: SECRET }));
  assert.equal(readFileSync(`${file}-wal`).includes(SECRET), false);
  await queue.resume();

  await Promise.all(handles.map((it) => it.result()));
  await until(() => server.requests.length === 3);

  assert.equal(server.requests[1].body, JSON.stringify({ changed: SECRET }));
  assert.equal(server.requests[2].body, JSON.stringify({ note: SECRET }));
});

test('sealing an existing queue still sends what was stored before', async (t) => {
  const storage = new MemoryStorage();
  const [plain, sealed] = [user('plain'), user('sealed')];
  const writer = await open(t, new FakeServer(), { storage, isSender: false });
  await writer.enqueue(plain);

  const queue = await open(t, new FakeServer(), { storage, keyRing: RING });
  await queue.enqueue(sealed);

  assert.deepEqual([(await queue.awaitResult(plain.id)).kind, (await queue.awaitResult(sealed.id)).kind], ['done', 'done']);
});

test('a row that was changed is not sent, and stops no other', async (t) => {
  const storage = new MemoryStorage();
  const [forged, sound] = [secretOperation(), user()];
  const writer = await open(t, new FakeServer(), { storage, isSender: false, keyRing: RING });
  await writer.enqueue(forged);
  await writer.enqueue(sound);
  const { body } = await rowOf(storage, forged.id);
  body[body.length - 1] ^= 1;
  await change(storage, forged.id, { body });
  const server = new FakeServer();

  const queue = await open(t, server, { storage, keyRing: RING });

  assert.equal((await queue.awaitResult(sound.id)).kind, 'done');
  await until(async () => (await queue.list({ state: 'failed' })).length === 1);
  const [failed] = await queue.list({ state: 'failed' });
  assert.deepEqual([failed.id, failed.advice], [forged.id, 'CHECK_FIRST']);
  assert.deepEqual(server.requests.map((it) => it.key), [sound.key]);
});

test('the requests of two operations cannot be exchanged, nor a request with an answer', async (t) => {
  const storage = new MemoryStorage();
  const [one, two] = [user('1'), user('2')];
  const writer = await open(t, new FakeServer(), { storage, isSender: false, keyRing: RING });
  await writer.enqueue(one);
  await writer.enqueue(two);
  await change(storage, one.id, { body: (await rowOf(storage, two.id)).body });
  const server = new FakeServer();

  const queue = await open(t, server, { storage, keyRing: RING });
  await queue.awaitResult(two.id);
  await assert.rejects(queue.awaitResult(one.id), OperationStateError);
  const done = await rowOf(storage, two.id);
  await change(storage, two.id, { body: done.result.answer.body });

  await assert.rejects(queue.awaitResult(two.id), /cannot be opened/);
  assert.equal(server.requests.length, 1);
});

test('with a new key, what the old one sealed is opened, and without it, fails and can be sent again', async (t) => {
  const storage = new MemoryStorage();
  const operation = secretOperation();
  const writer = await open(t, new FakeServer(), { storage, isSender: false, keyRing: RING });
  await writer.enqueue(operation);
  const server = new FakeServer();
  const rotated = { current: 'k2', keys: { k2: new Uint8Array(32).fill(8) } };

  const without = await open(t, server, { storage, keyRing: rotated });
  await until(async () => (await without.list({ state: 'failed' })).length === 1);
  assert.match((await without.list())[0].reason, /key/);
  await without.close();
  const both = await open(t, server, { storage, keyRing: { current: 'k2', keys: { ...rotated.keys, ...RING.keys } } });
  await both.resend(operation.id);

  assert.equal((await both.awaitResult(operation.id)).kind, 'done');
  assert.equal(server.requests[0].body, JSON.stringify({ note: SECRET }));
});

test('without its key ring, a sealed queue sends nothing of it', async (t) => {
  const storage = new MemoryStorage();
  const writer = await open(t, new FakeServer(), { storage, isSender: false, keyRing: RING });
  await writer.enqueue(secretOperation());
  const server = new FakeServer();

  const queue = await open(t, server, { storage });
  await until(async () => (await queue.list({ state: 'failed' })).length === 1);

  assert.equal(server.requests.length, 0);
});

test('a fingerprint of a sealed queue cannot be compared with that of a guess', async (t) => {
  const storages = [new MemoryStorage(), new MemoryStorage(), new MemoryStorage()];
  const rings = [undefined, RING, { current: 'k1', keys: { k1: new Uint8Array(32).fill(9) } }];
  const prints = new Set();
  for (const [i, storage] of storages.entries()) {
    const operation = user();
    const queue = await open(t, new FakeServer(), { storage, isSender: false, keyRing: rings[i] });
    await queue.enqueue(operation);
    await assert.rejects(queue.enqueue(user()), /does the same/);
    prints.add((await rowOf(storage, operation.id)).fingerprint);
  }

  assert.equal(prints.size, 3);
});

test('a key whose bytes cannot be read does', async (t) => {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const queue = await open(t, new FakeServer(), { keyRing: { current: 'k1', keys: { k1: key } } });

  assert.equal((await (await queue.enqueue(secretOperation())).result()).kind, 'done');
});

test('events of a sealed queue show no path, and its list does', async (t) => {
  const queue = await open(t, new FakeServer(), { keyRing: RING });
  const events = [];
  queue.subscribe((event) => events.push(event));
  await (await queue.enqueue(secretOperation())).result();
  await settled();

  assert.equal(JSON.stringify(events).includes(SECRET), false);
  assert.equal((await queue.list())[0].url, `${URL}?about=${SECRET}`);
});

test('a key ring that cannot be used is refused at once', async (t) => {
  for (const keyRing of [
    { current: 'k2', keys: { k1: KEY } },
    { current: 'k1', keys: { k1: new Uint8Array(5) } },
    { current: 'k1', keys: { k1: 'secret' } },
    { current: '', keys: { '': KEY } },
  ]) {
    await assert.rejects(open(t, new FakeServer(), { keyRing }), Error);
  }
});
