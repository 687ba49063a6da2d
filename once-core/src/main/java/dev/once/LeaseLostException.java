package dev.once;

/**
 * The grant is no longer the newest of its key, so it changed nothing. If its effect ran, a later
 * owner may have run it too: which of them took effect is unknown.
 */
public final class LeaseLostException extends OnceException {
  private static final long serialVersionUID = 1L;
  private final transient Key key;
  private final long fence;

  public LeaseLostException(Key key, long fence) {
    super("fence " + fence + " of " + key + " is no longer the newest grant", null);
    this.key = key;
    this.fence = fence;
  }

  public Key key() {
    return key;
  }

  public long fence() {
    return fence;
  }
}
