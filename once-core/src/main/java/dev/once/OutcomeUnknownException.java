package dev.once;

/**
 * The effect ran, but its outcome could not be recorded: nobody can tell what a retry will find.
 * The grant is never released; once its lease ran out, the operation's recovery decides.
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
