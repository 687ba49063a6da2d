package dev.once.jdbc;

import dev.once.OnceException;
import java.sql.SQLException;

/**
 * The database refused the commit that was sent together with an outcome, because of the
 * application's writes: a deferred constraint failed, for example. Nothing was committed; the
 * effect did not happen.
 */
public final class CommitRefusedException extends OnceException {
  private static final long serialVersionUID = 1L;
  private final transient SQLException reason;

  CommitRefusedException(SQLException cause) {
    super("the database refused the commit: " + cause.getSQLState(), cause);
    this.reason = cause;
  }

  /** Returns the database's error. */
  public SQLException reason() {
    return reason;
  }
}
