/**
 * A link that loses: it drops requests and answers, delays them, and resets connections in the middle
 * of a body, each at random.
 * @module
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const ONE_IN = 8;
const MAX_DELAY_MILLIS = 30;

export class LossyProxy {
  faults = 0;
  isHealed = false;
  #port;
  #random;
  #server;
  #sockets = new Set();

  /** @param {number} port of the server behind it */
  constructor(port, random = Math.random) {
    this.#port = port;
    this.#random = random;
  }

  /** Returns its own port. */
  async start() {
    this.#server = createServer((client) => this.#serve(client));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this.#server.address().port;
  }

  close() {
    this.#server.close();
    this.#sockets.forEach((socket) => socket.destroy());
  }

  #serve(client) {
    const server = connect(this.#port, '127.0.0.1');
    const reset = () => [client, server].forEach((socket) => socket.resetAndDestroy());
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    this.#relay(client, server, reset);
    this.#relay(server, client, reset);
  }

  #relay(from, to, reset) {
    from.on('data', (bytes) => {
      const fault = this.isHealed ? ONE_IN : Math.floor(this.#random() * ONE_IN);
      if (fault === 0) {
        this.faults++;
        reset(); // Nothing of it arrives.
      } else if (fault === 1) {
        this.faults++;
        to.write(bytes.subarray(0, bytes.length / 2), reset); // A part of it arrives.
      } else if (fault === 2) {
        from.pause();
        setTimeout(() => {
          to.write(bytes);
          from.resume();
        }, this.#random() * MAX_DELAY_MILLIS);
      } else {
        to.write(bytes);
      }
    });
    from.on('end', () => to.end());
  }
}
