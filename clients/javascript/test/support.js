/**
 * Clocks and servers for tests.
 * @module
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStorage, OnceClient, OfflineQueue, Operation, RULES } from '../lib/index.js';

export const URL = 'https://api.example/v1/users';

/** A clock on which waiting takes no time: a pause is over as soon as other work has had its turn. */
export class QuickClock {
  time = 1_000_000;
  pauses = [];

  now() {
    return this.time;
  }

  async sleep(millis, signal) {
    const end = this.time + millis;
    if (signal?.aborted) {
      return;
    }
    if (millis === Infinity) {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
      return;
    }
    this.pauses.push(millis);
    await new Promise((resolve) => setImmediate(resolve));
    if (!signal?.aborted) {
      this.time = Math.max(this.time, end);
    }
  }
}

/** A clock that stands still until a test moves it. */
export class TestClock {
  time = 100_000_000_000;
  /** Is never set back. */
  passed = 0;
  #sleepers = new Set();

  now() {
    return this.time;
  }

  elapsed() {
    return this.passed;
  }

  sleep(millis, signal) {
    return new Promise((resolve) => {
      const sleeper = { end: this.passed + millis, resolve };
      this.#sleepers.add(sleeper);
      const wake = () => {
        this.#sleepers.delete(sleeper);
        resolve();
      };
      if (signal?.aborted || millis <= 0) {
        wake();
      }
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  setBack(millis) {
    this.time -= millis;
  }

  advance(millis) {
    this.time += millis;
    this.passed += millis;
    for (const sleeper of this.#sleepers) {
      if (sleeper.end <= this.passed) {
        this.#sleepers.delete(sleeper);
        sleeper.resolve();
      }
    }
  }
}

/** A server that remembers keys: it applies each once, and repeats its answer. */
export class FakeServer {
  requests = [];
  /** What was applied, by key. */
  applied = new Map();
  #script;
  isOffline = false;

  /** Answers with each of `script` once, then as a server that knows keys. */
  constructor(...script) {
    this.#script = script;
  }

  fetch = async (url, init) => {
    const headers = new Headers(init.headers);
    const key = (headers.get('idempotency-key') ?? '').replaceAll('"', '');
    const request = { url, method: init.method, headers, key, body: new TextDecoder().decode(init.body), signal: init.signal };
    this.requests.push(request);
    if (this.isOffline) {
      throw new TypeError('fetch failed');
    }
    const scripted = this.#script.shift();
    if (scripted !== undefined) {
      return typeof scripted === 'function' ? scripted(request) : scripted;
    }
    return this.apply(request);
  };

  then(...more) {
    this.#script.push(...more);
    return this;
  }

  apply(request) {
    const isReplayed = this.applied.has(request.key);
    this.applied.set(request.key, this.applied.get(request.key) ?? request.body);
    return answer(201, { id: request.key }, isReplayed ? { 'Idempotency-Replayed': 'true' } : {});
  }
}

export function answer(status, json, headers = {}) {
  return new Response(json === undefined ? null : JSON.stringify(json), { status, headers });
}

export function lost() {
  throw new TypeError('fetch failed');
}

export function user(name = 'ada', options = {}) {
  return Operation.post(URL, { json: { name }, type: 'createUser', ...options });
}

/** Opens a queue on a server, which is closed at the end of the test. */
export async function open(test, server, options = {}) {
  const { rules = RULES.mobile, clock = new QuickClock(), storage = new MemoryStorage(), credentials, timeoutMillis, ...rest } = options;
  const client = new OnceClient({ rules, clock, fetch: server.fetch, credentials, timeoutMillis });
  const queue = await OfflineQueue.open({ client, storage, ...rest });
  test.after(() => queue.close({ deadlineMillis: 0 }));
  return queue;
}

/** Waits until something holds, for at most 20 seconds. */
export async function until(holds) {
  const end = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > end) {
      throw new Error(`still not so: ${holds}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Waits until all that can happen without time has happened. */
export async function settled() {
  for (let i = 0; i < 20; i++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns a file in a folder of its own, which is removed at the end of the test. */
export function fileOf(test) {
  const folder = mkdtempSync(join(tmpdir(), 'once-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'queue.db');
}
