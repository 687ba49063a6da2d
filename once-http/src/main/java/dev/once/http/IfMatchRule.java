package dev.once.http;

/** What a contract requires of If-Match when a request changes a resource. */
public final class IfMatchRule {
  private final boolean required;
  private final boolean wildcardAllowed;

  private IfMatchRule(boolean required, boolean wildcardAllowed) {
    this.required = required;
    this.wildcardAllowed = wildcardAllowed;
  }

  public static IfMatchRule of(boolean required, boolean wildcardAllowed) {
    return new IfMatchRule(required, wildcardAllowed);
  }

  /** Returns whether a change without it is refused. */
  public boolean required() {
    return required;
  }

  /** Returns whether {@code *}, any revision, is accepted. */
  public boolean wildcardAllowed() {
    return wildcardAllowed;
  }
}
