package dev.once.client;

/** How an operation is enqueued. */
public final class EnqueueOptions {
  public static final EnqueueOptions DEFAULT = new EnqueueOptions(false);

  private final boolean allowsDuplicate;

  private EnqueueOptions(boolean allowsDuplicate) {
    this.allowsDuplicate = allowsDuplicate;
  }

  /** Allows the same request to be in the queue under another key. */
  public EnqueueOptions allowingDuplicate() {
    return new EnqueueOptions(true);
  }

  boolean allowsDuplicate() {
    return allowsDuplicate;
  }
}
