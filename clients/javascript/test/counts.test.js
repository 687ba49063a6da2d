/**
 * Numbers for user interfaces and metrics.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStorage } from '../lib/index.js';
import { SqliteStorage } from '../lib/storage-sqlite.js';
import { FakeServer, answer, fileOf, lost, open, user } from './support.js';

for (const [name, storage] of [['memory', () => new MemoryStorage()], ['file', (t) => new SqliteStorage(fileOf(t))]]) {
  test(`counts the operations of each state: ${name}`, async (t) => {
    const queue = await open(t, new FakeServer(() => answer(422)), { storage: storage(t), concurrency: 1 });
    await (await queue.enqueue(user('1'))).result();
    await (await queue.enqueue(user('2'))).result();
    await queue.pause();
    await queue.enqueue(user('3'));

    assert.deepEqual(await queue.counts(), { pending: 1, sending: 0, failed: 1, done: 1 });
  });
}

test('counts what a queue did since it was opened', async (t) => {
  const server = new FakeServer(lost, (it) => (server.apply(it), lost()), () => answer(422));
  const queue = await open(t, server, { concurrency: 1 });
  const operations = [user('1'), user('2')];
  await queue.pause();
  for (const operation of [...operations, operations[0]]) {
    await queue.enqueue(operation);
  }
  await queue.resume();
  await Promise.all(operations.map((it) => queue.awaitResult(it.id)));

  const { enqueued, attempts, unanswered, done, failed } = queue.metrics();

  assert.deepEqual({ enqueued, attempts, unanswered, done, failed }, { enqueued: 2, attempts: 4, unanswered: 2, done: 1, failed: 1 });
});
