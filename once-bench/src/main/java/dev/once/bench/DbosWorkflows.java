package dev.once.bench;

import java.sql.SQLException;

/** What DBOS runs as workflows. It makes a proxy of this, which has to be public for it. */
public interface DbosWorkflows {
  /** Ten steps that return a short text. */
  String texts();

  /** Ten steps that write a row each, in the transaction that records them. */
  String rows() throws SQLException;

  /** A hundred steps, or nearly: the process may be gone before the last ones. */
  String interrupted() throws InterruptedException;
}
