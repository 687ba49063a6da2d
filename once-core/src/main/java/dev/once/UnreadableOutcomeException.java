package dev.once;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effect happened and its outcome is in the store, but cannot be read: its key is missing, or
 * its bytes are damaged. The record stays as it is. It is never released and its effect never runs
 * again, so every retry gets its answer once the key is in the key ring.
 */
public final class UnreadableOutcomeException extends OnceException {
  private static final long serialVersionUID = 1L;
  private final transient Key key;
  private final @Nullable String keyId;

  /**
   * For implementations of a store.
   *
   * @param keyId the key that sealed the outcome, null if it is not sealed or its id cannot be read
   * @param problem what is wrong and the way out, to be read after "its outcome cannot be read: "
   */
  public UnreadableOutcomeException(
      Key key, @Nullable String keyId, String problem, @Nullable Throwable cause) {
    super(
        "the effect of %s happened, but its outcome cannot be read: %s".formatted(key, problem),
        cause);
    this.key = key;
    this.keyId = keyId;
  }

  public Key key() {
    return key;
  }

  /** The id of the key that sealed the outcome, if it is sealed and that much can be read. */
  public Optional<String> keyId() {
    return Optional.ofNullable(keyId);
  }
}
