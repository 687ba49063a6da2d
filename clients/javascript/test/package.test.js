/**
 * What is published: exports, types, and the examples of the pages.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FakeServer, answer } from './support.js';

const root = new globalThis.URL('../', import.meta.url);
const description = JSON.parse(readFileSync(new globalThis.URL('package.json', root), 'utf8'));
const AsyncFunction = (async () => {}).constructor;

function text(path) {
  return readFileSync(new globalThis.URL(path, root), 'utf8');
}

test('has no dependency, no build step and no side effects', () => {
  const { dependencies, devDependencies, peerDependencies, scripts, sideEffects, license, engines } = description;

  assert.deepEqual([dependencies, devDependencies, peerDependencies], [undefined, undefined, undefined]);
  assert.deepEqual([Object.keys(scripts), sideEffects, license, engines], [['test'], false, 'Apache-2.0', { node: '>=22.13' }]);
  assert.ok(existsSync(new globalThis.URL('LICENSE', root)));
});

for (const [name, { types, default: file }] of Object.entries(description.exports)) {
  test(`can be imported, and has types: ${name}`, async () => {
    const module = await import(name.replace('.', description.name));
    assert.ok(existsSync(new globalThis.URL(file, root)));
    const declared = text(types);

    const values = [...declared.matchAll(/^export (?:class|const|function) (\w+)/gm)].map((it) => it[1]);
    assert.deepEqual(Object.keys(module).sort(), values.sort());
    for (const [, type, body] of declared.matchAll(/^export class (\w+)[^{]*{\n(.*?)^}/gms)) {
      for (const [, modifier, method] of body.matchAll(/^ {2}(static )?(\w+)(?:<\w+>)?\(/gm)) {
        const owner = modifier === undefined ? module[type].prototype : module[type];
        assert.equal(typeof owner[method], 'function', `${type}.${method} is declared, and missing`);
      }
      const own = Object.getOwnPropertyNames(module[type].prototype);
      assert.deepEqual(own.filter((it) => !new RegExp(`\\b${it}\\b`).test(body)).filter((it) => it !== 'constructor'), [], `of ${type} not declared`);
    }
  });
}

/** Runs the examples of a page one after the other, as one program. */
async function run(path, server, scope, closed) {
  const examples = [...text(path).matchAll(/^```js\n(.*?)^```/gms)].map((it) => it[1]);
  const program = examples.join('\n').replace(/^import (\{.*?\}) from ('.*?');/gm, 'var $1 = await load($2);');
  const { MemoryStorage } = await import('@once/client');
  const load = (name) => (name.endsWith('/indexeddb') ? { IndexedDbStorage: MemoryStorage } : import(name));
  const { fetch } = globalThis;
  globalThis.fetch = server.fetch;
  const all = { load, ...scope };
  try {
    await new AsyncFunction(...Object.keys(all), `${program}\n${closed.map((it) => `await ${it}.close();`).join('\n')}`)(...Object.values(all));
  } finally {
    globalThis.fetch = fetch;
  }
  return examples.length;
}

test('the examples of the readme run', async () => {
  const server = new FakeServer();
  const get = (url, init) => (init.method === 'GET' ? answer(200, {}, { ETag: '"1"' }) : server.fetch(url, init));
  const shown = [];
  const self = { addEventListener: (name) => shown.push(name) };

  const examples = await run('README.md', { fetch: async (...request) => get(...request) }, { token: 't', show: (line) => shown.push(line), self }, ['queue', 'sealed']);

  assert.ok(examples >= 6);
  assert.equal(server.requests[0].headers.get('authorization'), 'Bearer t');
  assert.ok(shown.includes('sync'));
});

test('the example of the guide runs', async () => {
  const server = new FakeServer();
  const { OnceClient, OfflineQueue, Operation, RULES, MemoryStorage } = await import('@once/client');
  const scope = { OnceClient, OfflineQueue, Operation, RULES, IndexedDbStorage: MemoryStorage };

  assert.equal(await run('../../docs/guides/client.md', server, scope, ['queue']), 1);

  assert.deepEqual([...server.applied.values()], ['{"item":"boots"}']);
});
