/**
 * What a server answered.
 * @module
 */

const CODES = [(/** @type {any} */ it) => it?.code, (/** @type {any} */ it) => it?.error?.code, (/** @type {any} */ it) => it?.error?.type];

/** How much of a body is received. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** An answer of a server. Immutable. */
export class Answer {
  /**
   * @param {number} status
   * @param {Record<string, string>} headers names in any case
   * @param {Uint8Array} [body]
   * @param {boolean} [isComplete] false if the body was longer than {@link MAX_ANSWER_BYTES} and was cut
   */
  constructor(status, headers, body = new Uint8Array(), isComplete = true) {
    this.status = status;
    this.headers = Object.freeze(
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    );
    this.body = body;
    this.isComplete = isComplete;
    Object.freeze(this);
  }

  /**
   * Returns a header's value; undefined if there is none.
   * @param {string} name
   * @returns {string | undefined}
   */
  header(name) {
    return this.headers[name.toLowerCase()];
  }

  /** Returns the body as text in UTF-8. */
  text() {
    return new TextDecoder().decode(this.body);
  }

  /** Returns the body, parsed as JSON. */
  json() {
    return JSON.parse(this.text());
  }

  /** The code of an error body of JSON, such as `idempotency.in_flight`; undefined if there is none. */
  get code() {
    if (this.status < 400 || this.body.length === 0 || !this.isComplete) {
      return undefined;
    }
    try {
      const json = this.json();
      return CODES.map((read) => read(json)).find((code) => typeof code === 'string');
    } catch {
      return undefined; // Not JSON.
    }
  }
}

/**
 * Receives the answer of a `fetch`, its body up to {@link MAX_ANSWER_BYTES}.
 * @param {Response} response
 * @returns {Promise<Answer>}
 */
export async function receive(response) {
  const chunks = [];
  let length = 0;
  let isComplete = true;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const room = MAX_ANSWER_BYTES - length;
    chunks.push(part.value.subarray(0, room));
    length += chunks[chunks.length - 1].length;
    if (part.value.length > room) {
      isComplete = false;
      reader?.cancel().catch(() => {}); // The rest is not read.
      break;
    }
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return new Answer(response.status, Object.fromEntries(response.headers), body, isComplete);
}
