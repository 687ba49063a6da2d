/**
 * Puts operations into a queue.
 * @module
 */
import { DuplicateOperationError, OperationStateError } from './errors.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StorageTransaction} StorageTransaction
 */

/**
 * Stores an operation, unless its key is in the queue.
 * @param {StorageTransaction} transaction
 * @param {StoredRow} row
 * @param {boolean} isDuplicateAllowed
 * @param {number} maxOperations
 * @returns {Promise<StoredRow>} the row that is in the queue
 */
export async function add(transaction, row, isDuplicateAllowed, maxOperations) {
  const [there] = await transaction.where('key', row.key);
  if (there !== undefined && there.fingerprint !== row.fingerprint) {
    throw new OperationStateError(there.id, 'has the same key, and does something else: create a new operation');
  }
  if (there !== undefined) {
    return there;
  }
  if ((await transaction.get(row.id)) !== undefined) {
    throw new OperationStateError(row.id, 'is in the queue already');
  }
  const same = isDuplicateAllowed ? [] : await transaction.where('fingerprint', row.fingerprint);
  const counted = same.find((other) => other.supersededBy === undefined && !other.isUndone);
  if (counted !== undefined) {
    throw new DuplicateOperationError(row.type, counted.id);
  }
  // Results that are kept take no room from new operations.
  if ((await transaction.count()) - (await transaction.count('done')) >= maxOperations) {
    throw new RangeError(`the queue is full: it has ${maxOperations} operations`);
  }
  await transaction.put(row);
  return row;
}

/**
 * Returns the members of a group that is in the queue already; undefined if it is not.
 * @param {StorageTransaction} transaction
 * @param {StoredRow[]} rows
 */
export async function storedGroup(transaction, rows) {
  const first = rows[0] && (await transaction.get(rows[0].id));
  const there = first?.groupId === undefined ? [] : await transaction.where('groupId', first.groupId);
  const isSame = there.length === rows.length && there.every((row, i) => row.key === rows[i].key && row.fingerprint === rows[i].fingerprint);
  return isSame && rows.length > 0 ? there : undefined;
}

/**
 * Stores a group. Its compensations are part of their members until they are needed; an id or key that
 * stands for something else would replace it then.
 * @param {StorageTransaction} transaction
 * @param {StoredRow[]} rows
 * @param {(type: string) => boolean} isDuplicateAllowed
 * @param {number} maxOperations
 */
export async function addGroup(transaction, rows, isDuplicateAllowed, maxOperations) {
  const all = rows.flatMap((row) => (row.compensation === undefined ? [row] : [row, row.compensation]));
  for (const { id, key } of all) {
    const isTwice = all.filter((each) => each.id === id || each.key === key).length > 1;
    if (isTwice || (await transaction.get(id)) !== undefined || (await transaction.where('key', key, { limit: 1 })).length > 0) {
      throw new OperationStateError(id, 'is in the queue or in the group already, or its key is');
    }
  }
  for (const row of rows) {
    await add(transaction, row, isDuplicateAllowed(row.type), maxOperations);
  }
  return rows;
}
