package dev.once.spring;

import java.sql.SQLException;

/** A state of a transaction to which it can return. */
interface Savepoint {
  /** Returns to this state, and says whether the transaction may be committed again. */
  boolean rollBack() throws SQLException;
}
