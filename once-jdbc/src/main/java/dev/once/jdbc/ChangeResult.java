package dev.once.jdbc;

import dev.once.Key;
import dev.once.StoreException;

/** The result of a change of one record. */
enum ChangeResult {
  /** The record was changed. */
  MADE,
  /** The record is complete already: only this grant can have completed it under its fence. */
  DONE_BEFORE,
  /** Another open transaction has locked the row. */
  BUSY,
  /** The grant is no longer the newest, or its record is gone. */
  LOST,
  /** There is no record, or its state does not allow the change of an operator. */
  NOT_ALLOWED;

  /** Returns the failure of a call that stops trying. */
  static StoreException busy(Key key) {
    return new StoreException(
        "the record of " + key + " is locked by another open transaction: try again later", null);
  }
}
