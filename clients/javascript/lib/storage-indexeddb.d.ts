import type { QueueStorage, StorageTransaction } from './index.js';

/** A storage in IndexedDB, for browsers. */
export class IndexedDbStorage implements QueueStorage {
  constructor(name?: string);
  open(): Promise<void>;
  close(): Promise<void>;
  transact<T>(work: (transaction: StorageTransaction) => Promise<T>): Promise<T>;
  read<T>(work: (transaction: StorageTransaction) => Promise<T>): Promise<T>;
  lead(signal: AbortSignal, work: (lost?: AbortSignal) => Promise<void>): Promise<void>;
  onChange(listener: (ids: string[]) => void): () => void;
}
