/**
 * Finds and renews operations that a person or program changes.
 * @module
 */
import { changeOf } from './completion-writer.js';
import { OperationStateError } from './errors.js';
import { randomUuid } from './operation.js';
import { untried } from './row.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StorageTransaction} StorageTransaction
 */

const MAX_EARLIER = 20;

/**
 * @param {StorageTransaction} transaction
 * @param {string} id
 */
export async function presentRow(transaction, id) {
  const row = await transaction.get(id);
  if (row === undefined) {
    throw new OperationStateError(id, 'is not in the queue');
  }
  return row;
}

/**
 * @param {StorageTransaction} transaction
 * @param {string} id
 */
export async function failedRow(transaction, id) {
  const row = await presentRow(transaction, id);
  if (row.state !== 'failed' || row.isUnreadable) {
    throw new OperationStateError(id, row.isUnreadable ? 'cannot be read' : `has not failed: it is ${row.state}`);
  }
  refuseIfReplaced(row);
  return row;
}

/**
 * Returns the last of the changes that wait behind an operation; itself if there is none.
 * @param {StorageTransaction} transaction
 * @param {StoredRow} row
 * @returns {Promise<StoredRow>}
 */
export async function lastChange(transaction, row) {
  if (row.isUnreadable) {
    throw new OperationStateError(row.id, 'cannot be read');
  }
  const next = await changeOf(transaction, row);
  return next === undefined ? row : lastChange(transaction, next);
}

/** @param {StoredRow} row */
export function refuseIfReplaced(row) {
  if (row.supersededBy !== undefined) {
    throw new OperationStateError(row.id, `was replaced by operation ${row.supersededBy}`);
  }
  if (row.isUndone) {
    throw new OperationStateError(row.id, 'belongs to a group that was undone: enqueue the group again');
  }
}

/**
 * Makes a row an operation of its own, at the same place.
 * @param {StoredRow} row
 */
export function renew(row) {
  const earlier = { key: row.key, attempts: row.attempts, advice: row.result?.advice, reason: row.result?.reason };
  row.earlier = [...(row.earlier ?? []), earlier].slice(-MAX_EARLIER);
  Object.assign(row, untried(), { key: randomUuid(), state: 'pending', nextAttemptAt: 0 });
}
