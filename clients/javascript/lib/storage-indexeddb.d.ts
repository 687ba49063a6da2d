import type { QueueStorage, StorageTransaction } from './index.js';

/** A storage in IndexedDB, for browsers. */
export class IndexedDbStorage implements QueueStorage {
  /**
   * `takeoverMillis` is after which time without an answer the sending tab counts as frozen, 40 s if not
   * given; `openMillis` is how long to wait for tabs that have an older version open, 10 s if not given.
   */
  constructor(name?: string, options?: { takeoverMillis?: number; openMillis?: number });
  open(): Promise<void>;
  close(): Promise<void>;
  transact<T>(work: (transaction: StorageTransaction) => Promise<T>): Promise<T>;
  read<T>(work: (transaction: StorageTransaction) => Promise<T>): Promise<T>;
  lead(signal: AbortSignal, work: (lost?: AbortSignal) => Promise<void>): Promise<void>;
  onChange(listener: (ids: string[]) => void): () => void;
}
