package dev.once;

/** What happens to an operation after its owner's lease ran out without an outcome. */
public enum Recovery {
  /** The next claim executes again. For effects that are harmless to repeat. */
  RERUN,
  /**
   * No call executes until a reconciler or an operator has found out whether the effect happened.
   * For effects such as payments.
   */
  ASK
}
