/**
 * Stores operations and sends them until it is killed, or until the queue is empty. Prints the name of
 * each operation that is stored, and `sending` with TELL=sending when one is sent.
 *
 * usage: [TOKEN=<token>] [TELL=sending] killed-process.js <file> <url> <life> <operations>
 */
import { OnceClient, OfflineQueue, Operation, RULES } from '../lib/index.js';
import { SqliteStorage } from '../lib/storage-sqlite.js';

const { TELL, TOKEN } = process.env;
const [file, url, life, operations] = process.argv.slice(2);
const queue = await OfflineQueue.open({
  client: new OnceClient({
    rules: { ...RULES.mobile, inFlightPauseMillis: 20 },
    credentials: () => (TOKEN === undefined ? {} : { Authorization: `Bearer ${TOKEN}` }),
  }),
  storage: new SqliteStorage(file),
  backoff: { shortestMillis: 5, firstMillis: 10, longestMillis: 50 },
  maxAttempts: 1_000,
});
queue.subscribe(({ type }) => type === TELL && process.stdout.write(`${type}\n`));
for (let i = 0; i < Number(operations); i++) {
  const name = `${life}-${i}`;
  await queue.enqueue(Operation.post(url, { json: { name }, orderingKey: `resource-${i % 3}` }));
  process.stdout.write(`${name}\n`);
}
const left = await queue.drain({ deadlineMillis: 30_000 });
await queue.close();
process.exitCode = left === 0 ? 0 : 1;
