package dev.once.bench;

import java.sql.SQLException;

/** The workflows that DBOS runs. Public because DBOS creates a proxy of it. */
public interface DbosWorkflows {
  /** Ten steps that return a short text. */
  String texts();

  /** Ten steps that write a row each, in the transaction that records them. */
  String rows() throws SQLException;

  /** A hundred steps at most: the process may end before the last ones. */
  String interrupted() throws InterruptedException;
}
