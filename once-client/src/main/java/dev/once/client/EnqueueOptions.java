package dev.once.client;

/**
 * How an operation is enqueued.
 *
 * @param allowsDuplicate whether the same request may be in the queue under another key
 */
public record EnqueueOptions(boolean allowsDuplicate) {
  public static final EnqueueOptions DEFAULT = new EnqueueOptions(false);

  public EnqueueOptions allowingDuplicate() {
    return new EnqueueOptions(true);
  }
}
