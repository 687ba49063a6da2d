package dev.once;

/** A {@link Reconciler} failed: whether the effect happened is still unknown. */
public final class ReconciliationException extends OnceException {
  private static final long serialVersionUID = 1L;
  private final transient Key key;

  ReconciliationException(Key key, Exception cause) {
    super("the reconciler of " + key + " failed: whether it happened is still unknown", cause);
    this.key = key;
  }

  public Key key() {
    return key;
  }
}
