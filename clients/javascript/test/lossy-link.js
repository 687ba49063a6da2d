/**
 * A lossy link to a server on this machine. Prints its own port, and for each line that it reads how many
 * faults there were. Ends with its input.
 *
 * usage: lossy-link.js <port>
 */
import { createInterface } from 'node:readline';
import { LossyProxy } from './lossy-proxy.js';

const proxy = new LossyProxy(Number(process.argv[2]));
console.log(await proxy.start());
for await (const _ of createInterface({ input: process.stdin })) {
  console.log(proxy.faults);
}
proxy.close();
