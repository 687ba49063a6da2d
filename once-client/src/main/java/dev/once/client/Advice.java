package dev.once.client;

/** What to do about an operation that was refused, or whose outcome is unknown. */
public enum Advice {
  /** Send the same operation again later: the key makes that safe. */
  SEND_AGAIN,
  /**
   * Ask the server what became of the operation, or read what it would have changed, before it is
   * sent again: the server may not know the key any more, or has no answer itself.
   */
  CHECK_FIRST,
  /** It failed for good under its key, which the server remembers: create a new operation. */
  NEW_OPERATION,
  /** The request is wrong: correct it, and create a new operation. */
  CORRECT,
  /** Read the resource again, apply the change to it, and create a new operation. */
  REFETCH,
  /** Sign in, or ask for the right; then send the same operation again. */
  SIGN_IN
}
