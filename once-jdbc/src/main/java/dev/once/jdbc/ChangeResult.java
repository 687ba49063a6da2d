package dev.once.jdbc;

import dev.once.Key;
import dev.once.StoreException;

/** What became of a change of one record. */
enum ChangeResult {
  /** It was made. */
  MADE,
  /** This grant has completed the record before; nobody else can have, under its fence. */
  DONE_BEFORE,
  /** Somebody's open transaction has the row. */
  BUSY,
  /** The grant is no longer the newest, or its record is gone. */
  LOST,
  /** The record is in no state for what an operator wants, or there is none. */
  LEFT_ALONE;

  /** For who does not try again. */
  static StoreException busy(Key key) {
    return new StoreException(
        "the record of " + key + " is in somebody's open transaction: try again later", null);
  }
}
