package dev.once;

/** The grant of a running effect, as the effect sees it. */
public interface Execution {
  Key key();

  /**
   * Rises with every grant of this key. Use it in {@code WHERE fence < ?}, or pass it downstream:
   * then an owner that was paused for too long can no longer overwrite its successor.
   */
  long fence();

  /** 1 for the first grant of this record, 2 for the second, and so on. */
  int attempt();

  /**
   * Whether the lease is known to be lost; the thread of the effect is interrupted too. Check this
   * before a step that cannot be undone.
   */
  boolean leaseLost();
}
