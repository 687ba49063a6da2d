/**
 * Writes that must take effect once.
 * @module
 */
import { text } from './limits.js';

export const MAX_BODY_BYTES = 16 * 1024 * 1024;

const MAX_NAME_CHARS = 200;
const MAX_URL_CHARS = 8_000;
const MAX_HEADERS = 50;
const KEY = /^[\x21-\x7e]{1,255}$/;
const METHOD = /^[A-Z]{1,20}$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const HEADER_VALUE = /^[\x20-\x7e\t]{0,4000}$/;
const CREDENTIALS = ['authorization', 'proxy-authorization', 'cookie'];
/** Headers that `fetch` sets by itself, and fails with or drops if they are given. */
const OF_THE_CONNECTION = ['connection', 'content-length', 'expect', 'host', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
/** Methods that `fetch` refuses. */
const FORBIDDEN_METHODS = ['CONNECT', 'TRACE', 'TRACK'];
const METHODS_WITHOUT_BODY = ['GET', 'HEAD'];

/**
 * A write that must take effect once: a request, its own id, and, separate from that, the key that is
 * sent with every attempt. Both are made when the operation is created, so create it before the code
 * that retries. Immutable.
 */
export class Operation {
  /**
   * @param {string} method
   * @param {string | URL} url relative ones are resolved against the page
   * @param {import('./index.js').OperationOptions} [options]
   */
  constructor(method, url, options = {}) {
    if (typeof method !== 'string' || !METHOD.test(method) || FORBIDDEN_METHODS.includes(method)) {
      throw new TypeError(`method must be like POST, got ${method}`);
    }
    const address = checkedUrl(url);
    const { headers, body } = content(options);
    if (body.length > 0 && METHODS_WITHOUT_BODY.includes(method)) {
      throw new TypeError(`${method} has no body`);
    }
    this.id = text('id', options.id ?? randomUuid(), 1, MAX_NAME_CHARS);
    this.key = checkedKey(options.key ?? randomUuid());
    this.method = method;
    this.url = address.href;
    this.type = text('type', options.type ?? `${method} ${address.pathname}`.slice(0, MAX_NAME_CHARS), 1, MAX_NAME_CHARS);
    this.orderingKey = options.orderingKey === undefined ? undefined : text('orderingKey', options.orderingKey, 1, MAX_NAME_CHARS);
    /** Without key and credentials, with names in lower case. */
    this.headers = Object.freeze(headers);
    this.body = body;
    Object.freeze(this);
  }

  /**
   * @param {string | URL} url
   * @param {import('./index.js').OperationOptions} [options]
   */
  static post(url, options) {
    return new Operation('POST', url, options);
  }

  /**
   * @param {string | URL} url
   * @param {import('./index.js').OperationOptions} [options]
   */
  static put(url, options) {
    return new Operation('PUT', url, options);
  }

  /**
   * @param {string | URL} url
   * @param {import('./index.js').OperationOptions} [options]
   */
  static patch(url, options) {
    return new Operation('PATCH', url, options);
  }

  /**
   * @param {string | URL} url
   * @param {import('./index.js').OperationOptions} [options]
   */
  static delete(url, options) {
    return new Operation('DELETE', url, options);
  }

  /**
   * Returns an operation with the same request, except for `options`, and with an id and a key of its
   * own.
   * @param {import('./index.js').OperationOptions} [options]
   */
  copy(options = {}) {
    return new Operation(this.method, this.url, {
      type: this.type,
      orderingKey: this.orderingKey,
      body: this.body,
      ...options,
      headers: { ...this.headers, ...options.headers },
    });
  }
}

/** Returns a random UUID of version 4. */
export function randomUuid() {
  // Pages that were not loaded by https have no randomUUID.
  if (typeof crypto.randomUUID === 'function') {
    return crypto.randomUUID();
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * Returns what an operation does as bytes: two operations of one type with one method, address,
 * headers and body have the same.
 * @param {Operation} operation
 */
export function meaning({ type, method, url, headers, body }) {
  const sorted = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
  const head = new TextEncoder().encode(JSON.stringify([type, method, url, sorted]));
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

/**
 * Returns the SHA-256 of what an operation does.
 * @param {Operation} operation
 * @returns {Promise<string>} in hexadecimal
 */
export async function fingerprint(operation) {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', meaning(operation))));
}

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {string | URL} url */
function checkedUrl(url) {
  const address = new URL(url, globalThis.location?.href);
  if (!['http:', 'https:'].includes(address.protocol)) {
    throw new TypeError(`url must be http(s)://host..., got ${address.protocol}`);
  }
  if (address.username !== '' || address.password !== '') {
    throw new TypeError('url must not have a user: give credentials to OnceClient');
  }
  text('url', address.href, 1, MAX_URL_CHARS);
  return address;
}

/** @param {string} key */
function checkedKey(key) {
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new TypeError('key must have 1 to 255 visible ASCII characters');
  }
  return key;
}

/** @param {import('./index.js').OperationOptions} options */
function content(options) {
  /** @type {Record<string, string>} */
  const headers = {};
  const given = Object.entries(options.headers ?? {});
  if (options.contentType !== undefined) {
    given.push(['Content-Type', options.contentType]);
  }
  if (options.ifMatch !== undefined) {
    given.push(['If-Match', options.ifMatch]);
  }
  const json = options.envelope ?? options.json;
  if (json !== undefined) {
    given.push(['Content-Type', 'application/json']);
  }
  for (const [name, value] of given) {
    headers[name.toLowerCase()] = checkedHeader(name, value);
  }
  if (Object.keys(headers).length > MAX_HEADERS) {
    throw new RangeError(`an operation must have at most ${MAX_HEADERS} headers`);
  }
  return { headers, body: bytesOf(json === undefined ? options.body : textOf(json)) };
}

/** @param {unknown} json */
function textOf(json) {
  const found = JSON.stringify(json);
  if (found === undefined) {
    throw new TypeError(`json must be a value that JSON has, got ${typeof json}`);
  }
  return found;
}

/**
 * Returns whether HTTP allows a header.
 * @param {string} name
 * @param {unknown} value
 */
export function isHeader(name, value) {
  return HEADER_NAME.test(name) && typeof value === 'string' && HEADER_VALUE.test(value);
}

/**
 * @param {string} name
 * @param {string} value
 */
function checkedHeader(name, value) {
  if (CREDENTIALS.includes(name.toLowerCase())) {
    throw new TypeError(`${name} must not be part of an operation: use the credentials of OnceClient`);
  }
  if (OF_THE_CONNECTION.includes(name.toLowerCase())) {
    throw new TypeError(`${name} must not be part of an operation: fetch sets it`);
  }
  if (!isHeader(name, value)) {
    throw new TypeError(`header ${name.slice(0, 100)} has a name or value that HTTP does not allow`);
  }
  return value;
}

/**
 * Returns a copy, so that a caller that changes its array does not change what is sent.
 * @param {string | ArrayBuffer | ArrayBufferView | undefined} body
 */
export function bytesOf(body) {
  const bytes = copyOf(body);
  if (bytes.length > MAX_BODY_BYTES) {
    throw new RangeError(`body must have at most ${MAX_BODY_BYTES} bytes, got ${bytes.length}`);
  }
  return bytes;
}

/** @param {string | ArrayBuffer | ArrayBufferView | undefined} body */
function copyOf(body) {
  if (body === undefined) {
    return new Uint8Array();
  }
  if (typeof body === 'string') {
    return new TextEncoder().encode(body);
  }
  if (body instanceof ArrayBuffer) {
    return new Uint8Array(body).slice();
  }
  if (ArrayBuffer.isView(body)) {
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  }
  throw new TypeError('body must be a text, an ArrayBuffer or a view of one: others, such as a Blob, have no fixed bytes');
}
