/**
 * Groups that end in odd moments: nothing that took effect is left without its compensation.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStorage, Operation, OperationStateError } from '../lib/index.js';
import { SqliteStorage } from '../lib/storage-sqlite.js';
import { FakeServer, TestClock, URL, answer, fileOf, lost, open, settled, until, user } from './support.js';

const HOUR = 60 * 60 * 1000;
const undo = (name, options) => Operation.delete(`${URL}/${name}`, options);
const undone = (server) => server.requests.filter((it) => it.method === 'DELETE').map((it) => it.url.slice(URL.length + 1));

test('compensations are stored in a file, and are sent as they were created', async (t) => {
  const server = new FakeServer((it) => server.apply(it), () => answer(422));
  const queue = await open(t, server, { storage: new SqliteStorage(fileOf(t)) });
  const compensation = Operation.post(`${URL}/undo`, { json: { of: '1' } });

  const { handles } = await queue.enqueueGroup([{ operation: user('1'), compensation }, { operation: user('2') }]);
  await Promise.all(handles.map((it) => it.result()));
  await until(() => server.requests.length === 3);

  assert.deepEqual([server.requests[2].key, server.requests[2].body], [compensation.key, '{"of":"1"}']);
});

test('compensations with one ordering key wait neither for each other nor for other operations', async (t) => {
  const server = new FakeServer((it) => server.apply(it), (it) => server.apply(it), () => answer(422), () => answer(422));
  const queue = await open(t, server, { concurrency: 1 });
  await queue.pause();
  const { handles } = await queue.enqueueGroup([
    { operation: user('1', { orderingKey: 'a' }), compensation: undo('1', { orderingKey: 'a' }) },
    { operation: user('2', { orderingKey: 'a' }), compensation: undo('2', { orderingKey: 'a' }) },
    { operation: user('3') },
  ]);
  const poison = await queue.enqueue(user('poison', { orderingKey: 'a' }));
  await queue.resume();

  await Promise.all([...handles, poison].map((it) => it.result()));
  await until(() => undone(server).length === 2);

  assert.deepEqual(undone(server), ['2', '1']);
});

test('a member is not dropped while another is being sent', async (t) => {
  let answerNow;
  const server = new FakeServer((it) => new Promise((resolve) => (answerNow = () => resolve(server.apply(it)))));
  const queue = await open(t, server);
  const { handles } = await queue.enqueueGroup([{ operation: user('1'), compensation: undo('1') }, { operation: user('2') }]);
  await until(() => answerNow !== undefined);

  await assert.rejects(queue.drop(handles[1].id), /is being sent/);
  answerNow();

  assert.equal((await handles[1].result()).kind, 'done');
});

test('dropping a member that may have taken effect undoes it', async (t) => {
  const server = new FakeServer((it) => server.apply(it), () => answer(500));
  const queue = await open(t, server);
  const members = ['1', '2', '3'].map((name) => ({ operation: user(name), compensation: undo(name) }));
  const { handles } = await queue.enqueueGroup(members);
  assert.equal((await handles[1].result()).mayHaveTakenEffect, true);

  await queue.drop(handles[1].id);
  await until(() => undone(server).length === 2);

  assert.deepEqual(undone(server), ['2', '1']);
});

test('a refused compensation can be sent again, and the next one waits for it', async (t) => {
  const server = new FakeServer(accepted, accepted, () => answer(422), () => answer(404));
  function accepted(it) {
    return server.apply(it);
  }
  const queue = await open(t, server);
  const members = ['1', '2', '3'].map((name) => ({ operation: user(name), compensation: undo(name) }));
  await queue.enqueueGroup(members);
  const refused = members[1].compensation.id;
  await until(async () => (await queue.list({ state: 'failed' })).some((it) => it.id === refused));
  await settled();
  assert.deepEqual(undone(server), ['2']);

  await queue.resend(refused);
  await until(() => undone(server).length === 3);

  assert.deepEqual(undone(server), ['2', '2', '1']);
});

test('a change of a refused compensation is its own, not that of the next one', async (t) => {
  const server = new FakeServer((it) => server.apply(it), (it) => server.apply(it), () => answer(422), () => answer(422));
  const queue = await open(t, server);
  const members = ['1', '2', '3'].map((name) => ({ operation: user(name), compensation: undo(name) }));
  await queue.enqueueGroup(members);
  const refused = members[1].compensation.id;
  await until(async () => (await queue.list({ state: 'failed' })).some((it) => it.id === refused));

  const changed = await queue.edit(refused, '{"force":true}');

  assert.equal(changed.id, refused);
  assert.equal((await changed.result()).kind, 'done');
});

test('a compensation is not forgotten while its group is not done', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer((it) => server.apply(it), lost);
  const queue = await open(t, server, { clock, lookup: async () => 'DID_NOT_TAKE_EFFECT' });
  const { handles } = await queue.enqueueGroup([{ operation: user('1'), compensation: undo('1') }, { operation: user('2') }]);
  await until(async () => (await queue.list()).some((it) => it.failures === 1));
  await queue.pause();

  clock.advance(25 * HOUR);
  await queue.enqueue(user('other'));
  await settled();
  server.then(() => answer(422), () => answer(422));
  await queue.resume();
  assert.equal((await handles[1].result()).kind, 'refused');
  await until(() => undone(server).length === 1);

  assert.deepEqual(undone(server), ['1']);
});

test('storing the same group again stores nothing', async (t) => {
  const server = new FakeServer();
  const queue = await open(t, server);
  const members = ['1', '2'].map((name) => ({ operation: user(name), compensation: undo(name) }));

  const first = await queue.enqueueGroup(members);
  const again = await queue.enqueueGroup(members);

  assert.deepEqual([again.group, again.handles.map((it) => it.id)], [first.group, first.handles.map((it) => it.id)]);
  await Promise.all(again.handles.map((it) => it.result()));
  assert.equal(server.requests.length, 2);
});

test('a compensation that stands for two members, or for another operation, is refused', async (t) => {
  const queue = await open(t, new FakeServer());
  await queue.pause();
  const one = undo('1');
  const other = await queue.enqueue(user('other'));

  await assert.rejects(queue.enqueueGroup([{ operation: user('1'), compensation: one }, { operation: user('2'), compensation: one }]), OperationStateError);
  await assert.rejects(queue.enqueueGroup([{ operation: user('1'), compensation: undo('1', { id: other.id }) }]), OperationStateError);

  assert.equal((await queue.list()).length, 1);
});

test('what a group did not send is forgotten after 24 hours, and what was refused is kept', async (t) => {
  const clock = new TestClock();
  const server = new FakeServer(() => answer(422));
  const queue = await open(t, server, { clock });
  const { handles } = await queue.enqueueGroup([{ operation: user('1') }, { operation: user('2') }]);
  await Promise.all(handles.map((it) => it.result()));

  clock.advance(25 * HOUR);
  await queue.enqueue(user('other'));
  await until(async () => (await queue.list()).every((it) => it.id !== handles[1].id));

  assert.equal((await queue.list({ state: 'failed' }))[0].id, handles[0].id);
});

test('a member that is damaged is left as it is when its group is undone', async (t) => {
  const storage = new MemoryStorage();
  const server = new FakeServer(() => answer(422));
  const writer = await open(t, server, { storage, isSender: false });
  const { handles } = await writer.enqueueGroup(['1', '2'].map((name) => ({ operation: user(name) })));
  await storage.transact(async (transaction) => {
    const row = await transaction.get(handles[1].id);
    await transaction.put({ ...row, url: 'damaged' });
  });

  const sender = await open(t, server, { storage });
  await sender.awaitResult(handles[0].id);

  assert.equal((await storage.transact((transaction) => transaction.get(handles[1].id))).url, 'damaged');
});
