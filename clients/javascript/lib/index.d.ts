/** What to do about an operation that was refused, or whose outcome is unknown. */
export type Advice =
  /** Send the same operation again later: the key makes that safe. */
  | 'SEND_AGAIN'
  /** Ask the server what became of it, or read what it would have changed, before it is sent again. */
  | 'CHECK_FIRST'
  /** It failed for good under its key, which the server remembers: create a new operation. */
  | 'NEW_OPERATION'
  /** The request is wrong: correct it, and create a new operation. */
  | 'CORRECT'
  /** Read the resource again, apply the change to it, and create a new operation. */
  | 'REFETCH'
  /** Sign in, or ask for the right; then send the same operation again. */
  | 'SIGN_IN';

export interface Backoff {
  readonly shortestMillis: number;
  /** The longest pause after the first attempt; it doubles with every further one. */
  readonly firstMillis: number;
  readonly longestMillis: number;
}

export const INTERACTIVE: Readonly<Backoff>;
export const BACKGROUND: Readonly<Backoff>;

/** When an operation is sent again. */
export interface RetryRules {
  readonly name: string;
  /** The contract of the server, which a change of rules keeps: a queue belongs to it. */
  readonly contract: string;
  /** The header that carries the key; null if the server knows no keys. */
  readonly keyHeader: string | null;
  readonly isKeyQuoted: boolean;
  readonly retriedStatuses: readonly number[];
  readonly retriesEvery5xx: boolean;
  /** The codes of a 409 that mean: the first request has not ended. */
  readonly inFlightCodes: readonly string[];
  readonly retriesInFlight: boolean;
  /** Whether a 202 with a link means: the first request has not ended. */
  readonly followsAccepted: boolean;
  /** Whether the server repeats a 5xx, so that the same key cannot succeed after one. */
  readonly keepsFailures: boolean;
  /** Name and value of the header of a repeated answer. */
  readonly replayHeader: readonly [string, string] | readonly string[];
  readonly inFlightPauseMillis: number;
  readonly backoff: Backoff;
  /** How often {@link OnceClient.send} sends. */
  readonly maxAttempts: number;
  /** How long the server remembers a key. */
  readonly retentionMillis: number;
}

export const RULES: Readonly<
  Record<'strict' | 'planning' | 'mobile' | 'async' | 'ietf' | 'stripe' | 'plain', Readonly<RetryRules>>
>;

/** How an attempt ended: with an answer, or without one. */
export interface AttemptOutcome {
  answer?: Answer;
  failure?: string;
  /** Whether a part of the request may have reached the server. */
  isSent?: boolean;
  /** Whether it failed in this program, before the network. */
  isLocal?: boolean;
  /** Whether waiting for a network cannot help. */
  isFinal?: boolean;
}

/** What follows from the outcome of an attempt. */
export type Decision =
  | { decision: 'done'; replayed: boolean }
  | { decision: 'retry'; atLeastMillis: number }
  | { decision: 'follow'; link: string; atLeastMillis: number }
  | { decision: 'refused'; advice: Advice }
  | { decision: 'unknown'; advice: Advice };

export function decide(rules: RetryRules, method: string, outcome: AttemptOutcome, nowMillis?: number): Decision;

/** What a server answered. */
export class Answer {
  constructor(status: number, headers: Record<string, string>, body?: Uint8Array, isComplete?: boolean);
  readonly status: number;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** False if the body was longer than 8 MiB and was cut. */
  readonly isComplete: boolean;
  /** The code of an error body of JSON. */
  readonly code: string | undefined;
  header(name: string): string | undefined;
  text(): string;
  json(): any;
}

export interface OperationOptions {
  /** A body of JSON. */
  json?: unknown;
  /** The body `{meta, payload}`. */
  envelope?: { meta: unknown; payload: unknown };
  body?: string | ArrayBuffer | ArrayBufferView;
  contentType?: string;
  /** Without credentials, which belong to {@link ClientOptions.credentials}. */
  headers?: Record<string, string>;
  /** The version that the write expects: the `ETag` of a read. */
  ifMatch?: string;
  /** The kind of operation, such as `createUser`; method and path if not given. */
  type?: string;
  /** The resource whose operations a queue sends in order. */
  orderingKey?: string;
  /** An id that was made before. */
  id?: string;
  /** A key that was made before, and stored with the operation. */
  key?: string;
}

/** A write that must take effect once. */
export class Operation {
  constructor(method: string, url: string | URL, options?: OperationOptions);
  static post(url: string | URL, options?: OperationOptions): Operation;
  static put(url: string | URL, options?: OperationOptions): Operation;
  static patch(url: string | URL, options?: OperationOptions): Operation;
  static delete(url: string | URL, options?: OperationOptions): Operation;
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly orderingKey: string | undefined;
  /** Returns an operation with the same request, except for `options`, and an id and key of its own. */
  copy(options?: OperationOptions): Operation;
}

/** One of the attempts at an operation. */
export interface Attempt {
  number: number;
  status?: number;
  failure?: string;
  isSent: boolean;
  pauseBeforeMillis?: number;
  millis: number;
  /** When a queue began it. */
  at?: number;
}

/** What became of an operation. */
export interface OperationResult {
  operation: Operation;
  kind: 'done' | 'replayed' | 'refused' | 'unknown';
  /** Of `refused` and `unknown`. */
  advice?: Advice;
  /** The last answer, if there was one. */
  answer?: Answer;
  /** In their order; of a queue the last 20. */
  attempts: Attempt[];
  /** False if it is certain that the server executed nothing. */
  mayHaveTakenEffect: boolean;
  /** Whether the caller cancelled it. */
  isCancelled?: boolean;
  /** How long the server asked to wait. */
  retryAfterMillis?: number;
  /** Why an operation of a queue failed. */
  reason?: string;
}

export interface Clock {
  now(): number;
  /** A time in milliseconds that is never set back, for measuring; `now` is used if it is not there. */
  elapsed?(): number;
  /** Fulfils after a time, or as soon as `signal` is aborted. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>;
}

export interface ClientOptions {
  /** `RULES.strict` if not given. */
  rules?: RetryRules;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Returns headers such as `Authorization`; asked before every attempt, and never stored. */
  credentials?: () => Record<string, string> | Promise<Record<string, string>>;
  /** For one attempt, until the whole answer is there; 30 s if not given. */
  timeoutMillis?: number;
  /** Further settings of `fetch`, such as `{credentials: 'include'}`. */
  requestInit?: RequestInit;
  random?: () => number;
  clock?: Clock;
}

/** Sends operations over `fetch`. */
export class OnceClient {
  constructor(options?: ClientOptions);
  readonly rules: RetryRules;
  readonly clock: Clock;
  readonly timeoutMillis: number;
  send(operation: Operation, options?: { signal?: AbortSignal; deadlineMillis?: number }): Promise<OperationResult>;
  /**
   * Changes a resource that others may change too: reads it, sends the operation that `change` makes of
   * the answer, and starts again with a new operation while the server answers that the resource was
   * changed meanwhile.
   */
  update(
    resource: string | URL,
    change: (read: Answer) => Operation | Promise<Operation>,
    options?: { maxTries?: number; signal?: AbortSignal; deadlineMillis?: number },
  ): Promise<OperationResult>;
  attempt(operation: Operation, options?: { signal?: AbortSignal; timeoutMillis?: number }): Promise<AttemptOutcome>;
  status(
    operation: Operation,
    link: string,
    options?: { signal?: AbortSignal; timeoutMillis?: number },
  ): Promise<{ isInFlight: boolean; atLeastMillis: number; outcome: AttemptOutcome }>;
}

export type OperationState = 'pending' | 'sending' | 'failed' | 'done';

/** What a queue shows of an operation. Times are milliseconds since 1970. */
export interface QueuedOperation {
  id: string;
  key: string;
  type: string;
  method: string;
  url: string;
  orderingKey?: string;
  groupId?: string;
  state: OperationState;
  /** How many answers there were. */
  attempts: number;
  /** How often in a row the server could not be reached. */
  failures: number;
  createdAt: number;
  /** When it may first have reached the server. */
  firstSentAt?: number;
  nextAttemptAt?: number;
  finishedAt?: number;
  /** The operation after which it is sent: the one of which it is a change, or another compensation. */
  behind?: string;
  /** Of one that is finished. */
  isReplayed?: boolean;
  /** Of the last answer. */
  status?: number;
  advice?: Advice;
  reason?: string;
}

export type QueueEvent =
  | { type: 'pending' | 'waiting' | 'sending' | 'done' | 'failed'; operation: QueuedOperation }
  | { type: 'removed'; id: string }
  /** The queue waits for credentials. */
  | { type: 'parked'; status: number }
  | { type: 'unparked' | 'paused' | 'resumed' }
  | { type: 'offline' | 'online'; origin: string }
  /** Another tab or process has written. */
  | { type: 'changed' }
  /** The storage failed; the queue goes on. */
  | { type: 'error'; failure: unknown };

export interface QueueHandle {
  readonly id: string;
  readonly key: string;
  /** Waits until the operation is done or has failed. */
  result(options?: { signal?: AbortSignal }): Promise<OperationResult>;
}

/** Keys for AES-GCM, each with an id. */
export interface KeyRing {
  /** The id of the key that seals; the others open what they sealed before. */
  readonly current: string;
  /** Keys that `crypto.subtle` made, whose bytes need not be readable, or 16, 24 or 32 bytes. */
  readonly keys: Readonly<Record<string, CryptoKey | Uint8Array>>;
}

/** What a queue did since it was opened; what other tabs send is counted where their events arrive. */
export interface QueueMetrics {
  /** Operations that were stored. */
  enqueued: number;
  /** Operations that were sent, each attempt counted. */
  attempts: number;
  /** Attempts without an answer. */
  unanswered: number;
  /** Operations that took effect, replays included. */
  done: number;
  /** Operations whose answer was a replay. */
  replayed: number;
  failed: number;
}

export interface QueueOptions {
  client: OnceClient;
  storage: QueueStorage;
  /** How many operations are sent at the same time; 4 if not given. */
  concurrency?: number;
  /** How many answers an operation gets before it fails; 5 if not given. */
  maxAttempts?: number;
  /** How many operations without success the queue keeps; 10 000 if not given. */
  maxOperations?: number;
  /** `BACKGROUND` if not given. */
  backoff?: Backoff;
  /** How long results and successes are kept; 24 h if not given. */
  ledgerMillis?: number;
  /** Types of operations that may do the same twice, under different keys. */
  duplicateTypes?: Iterable<string>;
  /**
   * Finds out what became of an operation that was sent so long ago that the server may have forgotten
   * its key. Without it, or if the outcome is `UNKNOWN`, such an operation fails with `CHECK_FIRST`.
   */
  lookup?: (operation: Operation) => Promise<'TOOK_EFFECT' | 'DID_NOT_TAKE_EFFECT' | 'UNKNOWN'>;
  /**
   * Seals path, query, headers and body of requests and the headers and body of answers in the storage,
   * so that they cannot be read or changed unnoticed. Ids, keys, types, ordering keys, methods,
   * origins, statuses and reasons stay readable; events name the origin alone as `url`.
   */
  keyRing?: KeyRing;
  /** False for a process that only writes; true if not given. */
  isSender?: boolean;
  random?: () => number;
}

/** A durable queue. */
export class OfflineQueue {
  static open(options: QueueOptions): Promise<OfflineQueue>;
  enqueue(operation: Operation, options?: { allowDuplicate?: boolean }): Promise<QueueHandle>;
  enqueueGroup(
    members: Array<{ operation: Operation; compensation?: Operation }>,
    options?: { allowDuplicate?: boolean },
  ): Promise<{ group: string; handles: QueueHandle[] }>;
  hasSucceeded(key: string): Promise<boolean>;
  markSuccess(key: string): Promise<void>;
  awaitResult(id: string, options?: { signal?: AbortSignal }): Promise<OperationResult>;
  counts(): Promise<Record<OperationState, number>>;
  metrics(): QueueMetrics;
  list(options?: { state?: OperationState }): Promise<QueuedOperation[]>;
  resend(id: string, options?: { isChecked?: boolean }): Promise<void>;
  repeat(id: string): Promise<QueueHandle>;
  edit(id: string, body: string | ArrayBuffer | ArrayBufferView): Promise<QueueHandle>;
  drop(id: string): Promise<void>;
  credentialsChanged(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  status(): Promise<{ isSender: boolean; isPaused: boolean; parked?: { status: number; since: number } }>;
  subscribe(listener: (event: QueueEvent) => void): () => void;
  drain(options?: { deadlineMillis?: number }): Promise<number>;
  close(options?: { deadlineMillis?: number }): Promise<void>;
}

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  isComplete: boolean;
  isSealed?: boolean;
}

/** What a queue stores. A storage keeps every member, also those that it does not know. */
export interface StoredRow {
  /** Given by the storage, ascending. */
  seq?: number;
  /** Grows with every write. */
  version?: number;
  id: string;
  key: string;
  type: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  orderingKey?: string;
  fingerprint: string;
  state: OperationState;
  createdAt: number;
  nextAttemptAt: number;
  attempts: number;
  failures: number;
  signInRefusals: number;
  history: Attempt[];
  firstSentAt?: number;
  triedAt?: number;
  wasSent?: boolean;
  mayHaveTakenEffect: boolean;
  waitsFor?: 'server' | 'network';
  link?: string;
  /** Grows with every claim: a sender settles what it has claimed, and no other has since. */
  fence?: number;
  /** How often the credentials had changed before the attempt. */
  credentials?: unknown;
  isForgotten?: boolean;
  isSealed?: boolean;
  result?: {
    kind: OperationResult['kind'];
    advice?: Advice;
    answer?: StoredAnswer;
    mayHaveTakenEffect: boolean;
    reason?: string;
  };
  finishedAt?: number;
  supersededBy?: string;
  behind?: string;
  /** The ordering key, while later operations wait for this one. */
  openOrderingKey?: string;
  groupId?: string;
  compensation?: StoredRow;
  /** The member that this one undoes. */
  compensates?: string;
  isUndone?: boolean;
  /** Whether it was not sent because its group was undone. */
  isUnsent?: boolean;
  isUnreadable?: boolean;
  earlier?: Array<{ key: string; attempts: number; advice?: Advice; reason?: string }>;
  [field: string]: any;
}

/** What a transaction of a storage can do. */
export interface StorageTransaction {
  get(id: string): Promise<StoredRow | undefined>;
  /** Writes a row, and gives a new one its `seq`. */
  put(row: StoredRow): Promise<void>;
  remove(id: string): Promise<void>;
  /** Finds rows by `key`, `state`, `fingerprint`, `openOrderingKey`, `behind` or `groupId`, in their order. */
  where(field: string, value: string, options?: { after?: number; limit?: number }): Promise<StoredRow[]>;
  /** Counts all operations, or those of a state. */
  count(state?: OperationState): Promise<number>;
  success(key: string): Promise<number | undefined>;
  putSuccess(key: string, at: number): Promise<void>;
  removeSuccesses(before: number): Promise<void>;
  setting(name: string): Promise<unknown>;
  putSetting(name: string, value: unknown): Promise<void>;
}

/** Where a queue keeps its operations. */
export interface QueueStorage {
  open(): Promise<void>;
  close(): Promise<void>;
  /**
   * Runs `work` in a transaction: all or nothing, as if no other ran at the same time, and durable when
   * the promise is fulfilled. `work` awaits nothing but the transaction.
   */
  transact<T>(work: (transaction: StorageTransaction) => Promise<T>): Promise<T>;
  /** As `transact`, for `work` that writes nothing; it need not wait for writers. */
  read?<T>(work: (transaction: StorageTransaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` while this is the only one; gives up when `signal` is aborted before. If another may
   * lead although `work` has not ended, it aborts `lost`.
   */
  lead(signal: AbortSignal, work: (lost?: AbortSignal) => Promise<void>): Promise<void>;
  /** Calls `listener` when another tab or process has written; without ids if they are not known. */
  onChange(listener: (ids: string[]) => void): () => void;
}

export class MemoryStorage implements QueueStorage {
  open(): Promise<void>;
  close(): Promise<void>;
  transact<T>(work: (transaction: StorageTransaction) => Promise<T>): Promise<T>;
  read<T>(work: (transaction: StorageTransaction) => Promise<T>): Promise<T>;
  lead(signal: AbortSignal, work: (lost?: AbortSignal) => Promise<void>): Promise<void>;
  onChange(listener: (ids: string[]) => void): () => void;
}

export class DuplicateOperationError extends Error {
  readonly existingId: string;
}

export class OperationStateError extends Error {
  readonly id: string;
}

export class StorageError extends Error {
  /** Whether there is no room left: of the disk, or of what the browser grants. */
  readonly isFull: boolean;
}
