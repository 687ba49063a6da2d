package dev.once.http;

/** What a contract requires of If-Match when a request changes a resource. */
public final class IfMatchRule {
  private final boolean required;
  private final boolean wildcardAllowed;
  private final boolean parameterAllowed;

  private IfMatchRule(boolean required, boolean wildcardAllowed, boolean parameterAllowed) {
    this.required = required;
    this.wildcardAllowed = wildcardAllowed;
    this.parameterAllowed = parameterAllowed;
  }

  /** Returns a rule about the header alone. */
  public static IfMatchRule of(boolean required, boolean wildcardAllowed) {
    return new IfMatchRule(required, wildcardAllowed, false);
  }

  /** Returns the same rule, which accepts {@code if_match} in the query or a JSON body or not. */
  public IfMatchRule withParameterAllowed(boolean allowed) {
    return new IfMatchRule(required, wildcardAllowed, allowed);
  }

  /** Returns whether a change without it is refused. */
  public boolean required() {
    return required;
  }

  /** Returns whether {@code *}, any revision, is accepted. */
  public boolean wildcardAllowed() {
    return wildcardAllowed;
  }

  /**
   * Returns whether a client that cannot set headers may send the entity tag as {@code if_match}:
   * in the query, or as a member of the JSON object in the body.
   */
  public boolean parameterAllowed() {
    return parameterAllowed;
  }
}
