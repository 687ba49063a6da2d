package dev.once.jobs;

import dev.once.OnceException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a job cannot be read: its key is missing, or its bytes are damaged or those of
 * another job. The handler was not called, and the job and its payload stay as they are.
 */
public final class UnreadablePayloadException extends OnceException {
  private static final long serialVersionUID = 1L;
  private final transient JobKey key;
  private final @Nullable String keyId;
  private final boolean isKeyMissing;

  private UnreadablePayloadException(
      JobKey key,
      @Nullable String keyId,
      boolean isKeyMissing,
      String problem,
      @Nullable Throwable cause) {
    super("the payload of %s cannot be read: %s".formatted(key, problem), cause);
    this.key = key;
    this.keyId = keyId;
    this.isKeyMissing = isKeyMissing;
  }

  static UnreadablePayloadException keyMissing(JobKey key, String keyId) {
    String problem = "it is sealed with key id %s: add that key to the ring".formatted(keyId);
    return new UnreadablePayloadException(key, keyId, true, problem, null);
  }

  static UnreadablePayloadException damaged(
      JobKey key, @Nullable String keyId, @Nullable Throwable cause) {
    String problem =
        ("key id %s does not open it: the ring has another key under that id, or it was changed, or"
                + " it is that of another job")
            .formatted(keyId);
    return new UnreadablePayloadException(key, keyId, false, problem, cause);
  }

  public JobKey key() {
    return key;
  }

  /** The id of the key that sealed the payload, if that much can be read. */
  public Optional<String> keyId() {
    return Optional.ofNullable(keyId);
  }

  /** Returns whether another process, or this one later, may have the key. */
  boolean isKeyMissing() {
    return isKeyMissing;
  }
}
