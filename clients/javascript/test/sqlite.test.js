import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { StorageError } from '../lib/index.js';
import { SqliteStorage } from '../lib/storage-sqlite.js';
import { FakeServer, URL, answer, fileOf, open, until, user } from './support.js';

test('keeps operations and results in a file', async (t) => {
  const file = fileOf(t);
  const bytes = new Uint8Array([0, 255, 10, 13, 128]);
  const operation = user('ada', { json: undefined, body: bytes, contentType: 'application/octet-stream', orderingKey: 'user-1' });
  const writer = await open(t, new FakeServer(), { storage: new SqliteStorage(file), isSender: false });
  await writer.enqueue(operation);
  await writer.close();

  let sent;
  const server = { fetch: async (_, init) => ((sent = init), answer(201, { name: 'ä' }, { ETag: '"1"' })) };
  const sender = await open(t, server, { storage: new SqliteStorage(file) });
  const result = await sender.awaitResult(operation.id);
  await sender.close();

  assert.deepEqual([...sent.body], [...bytes]);
  assert.equal(new Headers(sent.headers).get('content-type'), 'application/octet-stream');
  const reader = await open(t, server, { storage: new SqliteStorage(file), isSender: false });
  const again = await reader.awaitResult(operation.id);
  assert.deepEqual([again.answer.json(), again.answer.header('etag')], [{ name: 'ä' }, '"1"']);
  assert.deepEqual(again.operation, result.operation);
  assert.equal(await reader.hasSucceeded(operation.key), true);
});

test('another queue on the file gets results, and takes over', async (t) => {
  const file = fileOf(t);
  const server = new FakeServer();
  const first = await open(t, server, { storage: new SqliteStorage(file) });
  await until(async () => (await first.status()).isSender);
  const second = await open(t, server, { storage: new SqliteStorage(file) });

  assert.equal((await (await second.enqueue(user('1'))).result()).kind, 'done');
  assert.deepEqual([(await first.status()).isSender, (await second.status()).isSender], [true, false]);
  await first.close();
  assert.equal((await (await second.enqueue(user('2'))).result()).kind, 'done');

  assert.equal(server.requests.length, 2);
});

test('of two queues that store the same at the same time, one is refused', async (t) => {
  const file = fileOf(t);
  const queues = [];
  for (let i = 0; i < 2; i++) {
    queues.push(await open(t, new FakeServer(), { storage: new SqliteStorage(file), isSender: false }));
  }

  const stored = await Promise.allSettled(queues.map((queue) => queue.enqueue(user())));

  assert.deepEqual(stored.map((it) => it.status).sort(), ['fulfilled', 'rejected']);
});

test('says clearly that a file is damaged, and leaves it as it is', async (t) => {
  const file = fileOf(t);
  const damaged = 'not a database, but a file that its owner may want to look at'.repeat(100);
  writeFileSync(file, damaged);

  await assert.rejects(new SqliteStorage(file).open(), (failure) => failure instanceof StorageError && failure.message.includes(file));

  assert.equal(readFileSync(file, 'utf8'), damaged);
});

test('refuses a file of a newer version, and keeps its operations', async (t) => {
  const file = fileOf(t);
  const writer = await open(t, new FakeServer(), { storage: new SqliteStorage(file), isSender: false });
  await writer.enqueue(user());
  await writer.close();
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 99');

  await assert.rejects(new SqliteStorage(file).open(), /newer version/);

  assert.equal(database.prepare('SELECT count(*) AS n FROM once_operation').get().n, 1);
});

test('keeps members of a row that it does not know', async (t) => {
  const file = fileOf(t);
  const writer = await open(t, new FakeServer(), { storage: new SqliteStorage(file), isSender: false });
  const { id } = await writer.enqueue(user());
  await writer.close();
  const database = new DatabaseSync(file);
  database.exec(`UPDATE once_operation SET details = json_set(details, '$.colour', 'blue')`);

  const sender = await open(t, new FakeServer(), { storage: new SqliteStorage(file) });
  await sender.awaitResult(id);

  assert.equal(JSON.parse(database.prepare('SELECT details FROM once_operation').get().details).colour, 'blue');
});

test('a row that cannot be read does not stop the others', async (t) => {
  const file = fileOf(t);
  const server = new FakeServer();
  const writer = await open(t, server, { storage: new SqliteStorage(file), isSender: false });
  const broken = await writer.enqueue(user('1'));
  const sound = await writer.enqueue(user('2'));
  await writer.close();
  const database = new DatabaseSync(file);
  database.prepare('UPDATE once_operation SET details = ? WHERE id = ?').run('{', broken.id);

  const sender = await open(t, server, { storage: new SqliteStorage(file) });

  assert.equal((await sender.awaitResult(sound.id)).kind, 'done');
  assert.equal((await sender.list()).find((it) => it.id === broken.id).reason, 'its row cannot be read');
  assert.equal(server.requests.length, 1);
});

test('a full disk refuses an operation, and keeps those that were stored', async (t) => {
  const file = fileOf(t);
  const queue = await open(t, new FakeServer(), { storage: new SqliteStorage(file), isSender: false });
  const { id } = await queue.enqueue(user('1'));
  await queue.close();
  const limited = await open(t, new FakeServer(), { storage: new SqliteStorage(file, { maxBytes: 100_000 }), isSender: false });

  // SQLite reports a file that may not grow as it reports a full disk.
  await assert.rejects(limited.enqueue(user('2', { json: { name: 'x'.repeat(200_000) } })), StorageError);

  assert.deepEqual((await limited.list()).map((it) => it.id), [id]);
});

test('a request that is stored has no credentials in it', async (t) => {
  const file = fileOf(t);
  const queue = await open(t, new FakeServer(), { storage: new SqliteStorage(file), credentials: () => ({ Authorization: 'Bearer s3cret' }) });

  await (await queue.enqueue(user())).result();
  await queue.close();

  assert.equal(readFileSync(file).includes('s3cret'), false);
  assert.ok(readFileSync(file).includes(URL));
});
