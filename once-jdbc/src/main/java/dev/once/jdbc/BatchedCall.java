package dev.once.jdbc;

import dev.once.Key;

/** A call that shares statements and commits with others. */
sealed interface BatchedCall permits ClaimCall, CompletionCall {
  Key key();

  /** Returns the name of the operation, for errors. */
  String what();

  /** Returns the approximate size of what is sent. */
  long bytes();
}
