/**
 * A storage belongs to the contract by which its operations were sent: the server of another one may
 * not find their keys where that contract sends them, and would execute them again.
 * @module
 */
import { StorageError } from './errors.js';
import { CONTRACT } from './row.js';

/** @typedef {import('./index.js').StorageTransaction} StorageTransaction */

const PAGE = 100;

/**
 * Notes by which contract operations are sent from now on.
 * @param {StorageTransaction} transaction
 * @param {string} contract
 * @throws {StorageError} if there are operations that the server of another contract may know
 */
export async function adopt(transaction, contract) {
  const before = await transaction.setting(CONTRACT);
  if (before === contract) {
    return;
  }
  if (before !== undefined && (await hasUncertain(transaction))) {
    throw mismatch(before, contract);
  }
  await transaction.putSetting(CONTRACT, contract);
}

/**
 * Checks that no other tab or process has opened the storage by another contract since.
 * @param {StorageTransaction} transaction
 * @param {string} contract
 */
export async function requireContract(transaction, contract) {
  const now = await transaction.setting(CONTRACT);
  if (now !== undefined && now !== contract) {
    throw mismatch(now, contract);
  }
}

/** @param {StorageTransaction} transaction */
async function hasUncertain(transaction) {
  for (const state of ['sending', 'pending', 'failed']) {
    for (let after = 0, page = []; ; ) {
      page = await transaction.where('state', state, { after, limit: PAGE });
      if (page.some(isUncertain)) {
        return true;
      }
      if (page.length < PAGE) {
        break;
      }
      after = Number(page[page.length - 1].seq);
    }
  }
  return false;
}

/** @param {import('./index.js').StoredRow} row */
function isUncertain({ state, firstSentAt, result }) {
  return firstSentAt !== undefined && (state !== 'failed' || ['SEND_AGAIN', 'CHECK_FIRST'].includes(String(result?.advice)));
}

/**
 * @param {unknown} contract
 * @param {string} other
 */
function mismatch(contract, other) {
  return new StorageError(
    `the queue has operations that were sent by the contract ${contract}, and this client has ${other}: open it with its own contract until they have ended, or drop them`,
  );
}
