import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Operation } from '../lib/index.js';
import { fingerprint } from '../lib/operation.js';
import { URL, user } from './support.js';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('generates valid UUID v4', () => {
  assert.match(user().key, UUID_V4);
  assert.match(user().id, UUID_V4);
});

test('generates unique keys', () => {
  const operations = Array.from({ length: 1_000 }, () => user());

  assert.equal(new Set(operations.flatMap((it) => [it.id, it.key])).size, 2_000);
});

test('keeps the bytes that it was created with', () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const operation = Operation.put(URL, { body: bytes, contentType: 'application/octet-stream' });

  bytes[0] = 9;

  assert.deepEqual([...operation.body], [1, 2, 3]);
});

test('wraps meta and payload', () => {
  const operation = Operation.post(URL, { envelope: { meta: { v: 1 }, payload: { name: 'ada' } } });

  assert.equal(new TextDecoder().decode(operation.body), '{"meta":{"v":1},"payload":{"name":"ada"}}');
  assert.equal(operation.headers['content-type'], 'application/json');
});

test('refuses credentials, which a queue must not store', () => {
  for (const name of ['Authorization', 'cookie', 'Proxy-Authorization']) {
    assert.throws(() => Operation.post(URL, { headers: { [name]: 'secret' } }), TypeError);
  }
  assert.throws(() => Operation.post('https://ada:secret@api.example'), TypeError);
});

test('refuses what HTTP does not allow', () => {
  assert.throws(() => new Operation('post', URL), TypeError);
  assert.throws(() => Operation.post('ftp://api.example'), TypeError);
  assert.throws(() => Operation.post(URL, { key: 'a b' }), TypeError);
  assert.throws(() => Operation.post(URL, { headers: { 'a b': 'c' } }), TypeError);
  assert.throws(() => Operation.post(URL, { headers: { a: 'b\r\nc: d' } }), TypeError);
});

test('gives a copy an id and a key of its own', () => {
  const first = user('ada', { orderingKey: 'user-1' });
  const copy = first.copy();

  assert.notEqual(copy.id, first.id);
  assert.notEqual(copy.key, first.key);
  assert.deepEqual({ ...copy, id: 0, key: 0 }, { ...first, id: 0, key: 0 });
});

test('has the fingerprint of what it does', async () => {
  const print = await fingerprint(user());

  assert.match(print, /^[0-9a-f]{64}$/);
  assert.equal(await fingerprint(user()), print);
  assert.notEqual(await fingerprint(user('bob')), print);
  assert.notEqual(await fingerprint(user('ada', { type: 'inviteUser' })), print);
});

test('keeps the bytes of every kind of view, and refuses what has none', () => {
  const { buffer } = new Uint8Array([1, 2, 3, 4]);

  assert.deepEqual([...Operation.post(URL, { body: buffer }).body], [1, 2, 3, 4]);
  assert.deepEqual([...Operation.post(URL, { body: new DataView(buffer, 1, 2) }).body], [2, 3]);
  assert.deepEqual([...Operation.post(URL, { body: new Uint16Array(buffer) }).body], [1, 2, 3, 4]);
  for (const body of [new Blob(['x']), new FormData(), [1, 2], { a: 1 }, 7]) {
    assert.throws(() => Operation.post(URL, { body }), TypeError);
  }
  assert.throws(() => Operation.post(URL, { json: () => {} }), TypeError);
});

test('refuses what fetch would fail with for ever', () => {
  for (const name of ['Connection', 'Content-Length', 'Host', 'Transfer-Encoding', 'TE', 'Upgrade', 'Expect']) {
    assert.throws(() => Operation.post(URL, { headers: { [name]: 'x' } }), /fetch sets it/);
  }
  for (const method of ['TRACE', 'CONNECT', 'TRACK']) {
    assert.throws(() => new Operation(method, URL), TypeError);
  }
  assert.throws(() => new Operation('GET', URL, { body: 'x' }), /has no body/);
});

test('refuses texts that are none', () => {
  assert.throws(() => Operation.post(URL, { headers: { a: undefined } }), TypeError);
  assert.throws(() => Operation.post(URL, { key: 123 }), TypeError);
  assert.throws(() => Operation.post(URL, { orderingKey: 7 }), RangeError);
});
