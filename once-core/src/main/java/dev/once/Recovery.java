package dev.once;

/** What happens to an operation whose owner vanished without saying how it ended. */
public enum Recovery {
  /** The next claim executes again. For effects that are harmless to repeat. */
  RERUN,
  /** Nobody executes until someone found out what happened. For effects such as payments. */
  ASK
}
