package dev.once.client;

/** The same request is in the queue, or succeeded not long ago, under another key. */
public final class DuplicateOperationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String existingId;

  DuplicateOperationException(Operation operation, String existingId) {
    super(
        "%s has the same request as operation %s: if both are wanted, allow it with EnqueueOptions.allowingDuplicate()"
            .formatted(operation, existingId));
    this.existingId = existingId;
  }

  /** Returns the id of the operation that is there already. */
  public String existingId() {
    return existingId;
  }
}
