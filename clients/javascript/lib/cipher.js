/**
 * Encryption of what a queue stores, on request.
 *
 * Path, query, headers and body of a request, and headers and body of an answer, are sealed with
 * AES-GCM, bound to the id of their operation, so that they cannot be exchanged. Ids, keys, types,
 * ordering keys, groups, methods, origins, statuses and reasons stay readable. What was stored
 * before the queue had a key stays as it is.
 *
 * Nothing here is called in a transaction of a storage: IndexedDB would commit it meanwhile.
 * @module
 */
import { OperationStateError } from './errors.js';
import { text } from './limits.js';
import { fingerprint, hex, meaning } from './operation.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StoredAnswer} StoredAnswer
 */

const NONCE_BYTES = 12;
const KEY_BYTES = [16, 24, 32];
const MAX_KEY_ID_CHARS = 100;

/** Seals rows and answers with a ring of keys; without one it leaves them as they are. */
export class Cipher {
  #current;
  /** @type {Map<string, Promise<CryptoKey>>} */
  #keys = new Map();
  /** @type {Promise<CryptoKey> | undefined} */
  #fingerprintKey;

  /** @param {import('./index.js').KeyRing} [ring] */
  constructor(ring) {
    if (ring === undefined) {
      return;
    }
    for (const [id, key] of Object.entries(ring.keys)) {
      this.#keys.set(text('id of a key', id, 1, MAX_KEY_ID_CHARS), imported(id, key));
    }
    if (!this.#keys.has(ring.current)) {
      throw new TypeError(`the key ring has no key ${ring.current}`);
    }
    this.#current = ring.current;
    // The first one, so that the fingerprints stay the same when a key is added.
    const [first] = [...this.#keys.keys()].sort();
    this.#fingerprintKey = fingerprintKey(/** @type {Promise<CryptoKey>} */ (this.#keys.get(first)));
    this.#fingerprintKey.catch(() => {}); // Awaited with the first fingerprint.
  }

  /** Rejects if a key of the ring cannot be used. */
  async check() {
    await Promise.all(this.#keys.values());
    await this.#fingerprintKey;
  }

  /**
   * Returns what an operation does as a text of fixed length. With a key, it cannot be
   * compared with that of a guess.
   * @param {import('./operation.js').Operation} operation
   */
  async fingerprint(operation) {
    return this.#fingerprintKey === undefined
      ? fingerprint(operation)
      : hex(new Uint8Array(await crypto.subtle.sign('HMAC', await this.#fingerprintKey, meaning(operation))));
  }

  /**
   * @param {StoredRow} row
   * @returns {Promise<StoredRow>}
   */
  async seal(row) {
    if (this.#current === undefined) {
      return row;
    }
    const { url, headers } = row;
    const body = await this.#encrypt(`request ${row.id}`, { url, headers }, row.body);
    return { ...row, url: `${new URL(url).origin}/`, headers: {}, body, isSealed: true };
  }

  /**
   * @param {StoredRow} row
   * @returns {Promise<StoredRow>}
   * @throws {OperationStateError} if it cannot be opened with the keys of the ring, or was changed
   */
  async open(row) {
    if (row.isSealed !== true) {
      return row;
    }
    const { head, body } = await this.#decrypt(row.id, `request ${row.id}`, row.body);
    return { ...row, ...head, body, isSealed: undefined };
  }

  /**
   * @param {string} id
   * @param {StoredAnswer | undefined} answer
   * @returns {Promise<StoredAnswer | undefined>}
   */
  async sealAnswer(id, answer) {
    if (this.#current === undefined || answer === undefined) {
      return answer;
    }
    const body = await this.#encrypt(`answer ${id}`, { headers: answer.headers }, answer.body);
    return { ...answer, headers: {}, body, isSealed: true };
  }

  /**
   * @param {string} id
   * @param {StoredAnswer | undefined} answer
   * @returns {Promise<StoredAnswer | undefined>}
   */
  async openAnswer(id, answer) {
    if (answer?.isSealed !== true) {
      return answer;
    }
    const { head, body } = await this.#decrypt(id, `answer ${id}`, answer.body);
    return { ...answer, ...head, body, isSealed: undefined };
  }

  /**
   * @param {string} boundTo
   * @param {object} head
   * @param {Uint8Array} body
   * @returns {Promise<Uint8Array>} length and id of the key, nonce, and sealed: length of the head, head, body
   */
  async #encrypt(boundTo, head, body) {
    const id = new TextEncoder().encode(this.#current);
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const headBytes = new TextEncoder().encode(JSON.stringify(head));
    const plain = joined(lengthOf(headBytes), headBytes, body);
    const key = await /** @type {Promise<CryptoKey>} */ (this.#keys.get(/** @type {string} */ (this.#current)));
    const sealed = await crypto.subtle.encrypt(algorithm(nonce, boundTo), key, plain);
    return joined(Uint8Array.of(id.length), id, nonce, new Uint8Array(sealed));
  }

  /**
   * @param {string} id
   * @param {string} boundTo
   * @param {Uint8Array} sealed
   */
  async #decrypt(id, boundTo, sealed) {
    const nonceAt = 1 + (sealed[0] ?? 0);
    const key = this.#keys.get(new TextDecoder().decode(sealed.subarray(1, nonceAt)));
    if (key === undefined) {
      throw new OperationStateError(id, 'was sealed with a key that the key ring does not have');
    }
    try {
      const contentAt = nonceAt + NONCE_BYTES;
      const nonce = sealed.slice(nonceAt, contentAt);
      const plain = new Uint8Array(await crypto.subtle.decrypt(algorithm(nonce, boundTo), await key, sealed.slice(contentAt)));
      const bodyAt = 4 + new DataView(plain.buffer).getUint32(0);
      return { head: JSON.parse(new TextDecoder().decode(plain.subarray(4, bodyAt))), body: plain.slice(bodyAt) };
    } catch (failure) {
      throw new OperationStateError(id, 'cannot be opened: it was changed, or sealed with another key', failure);
    }
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} nonce
 * @param {string} boundTo
 */
function algorithm(nonce, boundTo) {
  return { name: 'AES-GCM', iv: nonce, additionalData: new TextEncoder().encode(boundTo) };
}

/**
 * @param {string} id
 * @param {CryptoKey | Uint8Array} key
 * @returns {Promise<CryptoKey>}
 */
function imported(id, key) {
  if (!(key instanceof Uint8Array)) {
    if (key?.algorithm?.name !== 'AES-GCM') {
      throw new TypeError(`key ${id} must be one for AES-GCM`);
    }
    return Promise.resolve(key);
  }
  if (!KEY_BYTES.includes(key.length)) {
    throw new TypeError(`key ${id} must have 16, 24 or 32 bytes, got ${key.length}`);
  }
  const found = crypto.subtle.importKey('raw', key.slice(), 'AES-GCM', false, ['encrypt', 'decrypt']);
  found.catch(() => {}); // Reported by check().
  return found;
}

/**
 * Derives the key of fingerprints, also from a key whose bytes cannot be read: it is what that one
 * makes of zeros. No request is sealed with this nonce, since theirs are random.
 * @param {Promise<CryptoKey>} key
 */
async function fingerprintKey(key) {
  const bytes = await crypto.subtle.encrypt(algorithm(new Uint8Array(NONCE_BYTES), 'fingerprint'), await key, new Uint8Array(32));
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** @param {Uint8Array} bytes */
function lengthOf(bytes) {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return length;
}

/** @param {Uint8Array[]} parts */
function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
