package dev.once;

/** What a running effect may know about the grant it runs under. */
public interface Execution {
  Key key();

  /**
   * Rises with every grant of this key. Put it in your own {@code WHERE fence < ?}, or pass it
   * downstream, and an owner that was paused too long can no longer overwrite its successor.
   */
  long fence();

  /** 1 for the first grant of this record, 2 for the second, and so on. */
  int attempt();

  /**
   * Whether the lease is known to be gone. An effect that is about to do something it cannot take
   * back looks here first; it is also interrupted.
   */
  boolean leaseLost();
}
