/**
 * Operations that take effect together, or are undone.
 * @module
 */
import { OperationStateError } from './errors.js';
import { finish } from './row.js';

/**
 * @typedef {import('./index.js').StoredRow} StoredRow
 * @typedef {import('./index.js').StorageTransaction} StorageTransaction
 */

/**
 * Returns whether a member before this one has not taken effect yet.
 * @param {StorageTransaction} transaction
 * @param {StoredRow} row
 */
export async function isBehindMember(transaction, row) {
  const members = await membersOf(transaction, row);
  return members.some((each) => Number(each.seq) < Number(row.seq) && each.state !== 'done');
}

/**
 * Returns whether a compensation may still be needed.
 * @param {StorageTransaction} transaction
 * @param {StoredRow} row
 */
export async function isGroupOpen(transaction, row) {
  const members = await membersOf(transaction, row);
  return members.some((each) => each.state !== 'done' && !each.isUndone);
}

/**
 * @param {StorageTransaction} transaction
 * @param {StoredRow} row
 * @throws {OperationStateError} if a member is being sent, so that it is not known what is to be undone
 */
export async function requireNoneSending(transaction, row) {
  const sending = (await membersOf(transaction, row)).find((each) => each.state === 'sending');
  if (sending !== undefined) {
    throw new OperationStateError(row.id, `cannot be dropped now: operation ${sending.id} of its group is being sent`);
  }
}

/**
 * Ends a group of which one member did not take effect, or is given up: the rest is not sent, and
 * compensations are sent for what took effect, or may have, the last one first.
 * @param {StorageTransaction} transaction
 * @param {StoredRow} ended
 * @param {number} now
 */
export async function undo(transaction, ended, now) {
  const members = (await membersOf(transaction, ended)).filter((each) => !each.isUnreadable);
  for (const row of members) {
    row.isUndone = true;
    if (row.state === 'pending') {
      const reason = `operation ${ended.id} of its group did not take effect`;
      finish(row, 'failed', { kind: 'refused', advice: 'NEW_OPERATION', mayHaveTakenEffect: false, reason }, now);
      row.isUnsent = true;
    }
    await transaction.put(row);
  }
  /** @type {string | undefined} */
  let before;
  for (const row of members.filter(isToBeUndone).reverse()) {
    if (row.compensation !== undefined) {
      /** @type {StoredRow} */
      const compensation = { ...row.compensation, behind: before, compensates: row.id };
      await transaction.put(compensation);
      before = compensation.id;
    }
  }
}

/** @param {StoredRow} row */
function isToBeUndone(row) {
  return row.state === 'done' || (row.state === 'failed' && row.result?.mayHaveTakenEffect === true);
}

/**
 * @param {StorageTransaction} transaction
 * @param {StoredRow} row
 */
async function membersOf(transaction, row) {
  return row.groupId === undefined ? [] : transaction.where('groupId', row.groupId);
}
