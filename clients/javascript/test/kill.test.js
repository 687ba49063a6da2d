import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LossyProxy } from './lossy-proxy.js';

/** For a longer campaign: KILLS=200 node --test test/kill.test.js */
const KILLS = Number(process.env.KILLS ?? 8);
const PER_LIFE = 25;
const PROCESS = fileURLToPath(new globalThis.URL('./killed-process.js', import.meta.url));

/** Applies each key once, is slow at times, and loses every seventh answer. */
class LossyServer {
  /** How often each name was applied. */
  applied = new Map();
  requests = 0;
  #keys = new Map();
  #waiting = [];

  async start() {
    this.http = createServer((request, response) => void this.#answer(request, response));
    this.http.listen(0, '127.0.0.1');
    await once(this.http, 'listening');
    return this.http.address().port;
  }

  /** Waits for so many more requests. */
  async more(requests) {
    const count = this.requests + requests;
    await new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  async #answer(request, response) {
    const key = request.headers['idempotency-key'];
    let name;
    try {
      ({ name } = JSON.parse(Buffer.concat(await request.toArray()).toString()));
    } catch {
      return; // It was cut off.
    }
    this.requests++;
    this.#waiting.filter((it) => it.count <= this.requests).forEach((it) => it.resolve());
    if (this.#keys.get(key) === 'processing') {
      response.writeHead(409).end('{"error":{"code":"CONCURRENT_REQUEST"}}');
      return;
    }
    const isReplayed = this.#keys.has(key);
    if (!isReplayed) {
      this.#keys.set(key, 'processing');
      await sleep(Math.random() * 10);
      this.applied.set(name, (this.applied.get(name) ?? 0) + 1);
      this.#keys.set(key, 'completed');
    }
    if (this.requests % 7 === 0) {
      response.destroy();
    } else {
      response.writeHead(201, isReplayed ? { 'Idempotency-Replayed': 'true' } : {}).end('{}');
    }
  }
}

/** Processes that share a file, and a server for them. */
class Processes {
  stored = [];

  async start(t) {
    const folder = mkdtempSync(join(tmpdir(), 'once-kill-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    this.file = join(folder, 'queue.db');
    this.server = new LossyServer();
    this.port = await this.server.start();
    t.after(() => this.server.http.close());
    return this;
  }

  run(life, operations) {
    const url = `http://127.0.0.1:${this.port}/v1/things`;
    const command = ['--no-warnings', PROCESS, this.file, url, String(life), String(operations)];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (lines) => this.stored.push(...lines.toString().split('\n').filter((it) => it !== '')));
    return child;
  }

  /** Kills processes one after the other: each after it was seen to store, or to send, so often. */
  async kill(times) {
    for (let life = 0; life < times; life++) {
      const child = this.run(life, PER_LIFE);
      const events = 1 + Math.floor(Math.random() * PER_LIFE);
      await (life % 2 === 0 ? this.#storedBy(child, events) : this.server.more(events));
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  }

  async #storedBy(child, events) {
    for (const before = this.stored.length; this.stored.length < before + events; ) {
      await once(child.stdout, 'data');
    }
  }

  /** Each operation that was stored is applied once, and nothing is left to do. */
  check() {
    assert.deepEqual(this.stored.filter((name) => this.server.applied.get(name) !== 1), []);
    assert.deepEqual([...this.server.applied].filter(([, times]) => times !== 1), []);
    const states = new DatabaseSync(this.file).prepare('SELECT DISTINCT state FROM once_operation').all();
    assert.deepEqual(states.map((it) => it.state), ['done']);
  }
}

test(`applies each operation once, although the process is killed ${KILLS} times`, { timeout: KILLS * 3_000 }, async (t) => {
  const processes = await new Processes().start(t);
  await processes.kill(KILLS);

  const [exitCode] = await once(processes.run('last', 1), 'close');

  assert.equal(exitCode, 0);
  processes.check();
  const { stored, server } = processes;
  t.diagnostic(`${KILLS} kills, ${stored.length} operations stored, ${server.applied.size} applied, ${server.requests} requests`);
});

test(`applies each operation once, although the link fails and the process is killed`, { timeout: KILLS * 6_000 }, async (t) => {
  const processes = await new Processes().start(t);
  const proxy = new LossyProxy(processes.port);
  processes.port = await proxy.start();
  t.after(() => proxy.close());

  await processes.kill(Math.ceil(KILLS / 2));
  proxy.isHealed = true;
  const [exitCode] = await once(processes.run('last', 1), 'close');

  assert.equal(exitCode, 0);
  processes.check();
  assert.ok(proxy.faults > 0);
  const { stored, server } = processes;
  t.diagnostic(`${proxy.faults} faults, ${stored.length} operations stored, ${server.applied.size} applied, ${server.requests} requests`);
});

test('another process goes on when the sending one is killed', { timeout: 60_000 }, async (t) => {
  const processes = await new Processes().start(t);
  const first = processes.run('first', PER_LIFE);
  await once(first.stdout, 'data');
  const second = processes.run('second', PER_LIFE);
  await once(second.stdout, 'data');

  first.kill('SIGKILL');
  const [exitCode] = await once(second, 'close');

  assert.equal(exitCode, 0);
  processes.check();
});
