package dev.once;

/**
 * The effect ran, but its outcome could not be recorded: what a retry will find is unknown. The
 * grant is never released; when its lease has run out, the operation's recovery decides.
 */
public final class OutcomeUnknownException extends OnceException {
  private static final long serialVersionUID = 1L;
  private final transient Key key;
  private final long fence;

  public OutcomeUnknownException(Key key, long fence, Throwable cause) {
    super("the effect of " + key + " ran under fence " + fence + " but was not recorded", cause);
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
