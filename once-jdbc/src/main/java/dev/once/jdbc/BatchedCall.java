package dev.once.jdbc;

import dev.once.Key;

/** A call that shares statements and commits with others. */
sealed interface BatchedCall permits ClaimCall, CompletionCall {
  Key key();

  /** What is done, for errors. */
  String what();

  /** The size of what is sent. */
  long bytes();
}
