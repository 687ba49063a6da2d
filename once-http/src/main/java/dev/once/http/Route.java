package dev.once.http;

import java.util.Optional;

/**
 * One operation of an API: the settings that all its requests share. Immutable; {@code
 * Route.of("/v1/orders", Mode.LEASED).withKeyRequired(false)}.
 */
public final class Route {
  public static final int MAX_TEMPLATE_CHARS = 256;

  /** How the effect of a route is executed. */
  public enum Mode {
    /** Claim, execute and complete as separate steps: for effects outside the database. */
    LEASED,
    /** Claim, business writes and outcome in one database transaction. */
    TRANSACTIONAL
  }

  private final String template;
  private final boolean chosen;
  private final Optional<Boolean> keyRequired;
  private final Mode mode;

  private Route(String template, boolean chosen, Optional<Boolean> keyRequired, Mode mode) {
    if (template.isEmpty() || template.length() > MAX_TEMPLATE_CHARS) {
      throw new IllegalArgumentException(
          "route must have 1 to " + MAX_TEMPLATE_CHARS + " characters, got " + template.length());
    }
    if (namesCaller(template)) {
      throw new IllegalArgumentException(
          "route must not contain "
              + ScopeRule.ACTOR
              + ", which stands before the caller in a scope; got "
              + template);
    }
    this.template = template;
    this.chosen = chosen;
    this.keyRequired = keyRequired;
    this.mode = mode;
  }

  /** Returns a route that was not chosen by name and has no settings of its own. */
  public static Route of(String template, Mode mode) {
    return new Route(template, false, Optional.empty(), mode);
  }

  /** Returns the path with names in place of ids: {@code /v1/projects/{project_id}/missions}. */
  public String template() {
    return template;
  }

  /** Returns whether it was selected by name, for contracts that cover chosen routes only. */
  public boolean chosen() {
    return chosen;
  }

  /** Returns whether a key is required here, if that differs from the contract. */
  public Optional<Boolean> keyRequired() {
    return keyRequired;
  }

  /** Returns how its effect is executed. */
  public Mode mode() {
    return mode;
  }

  public Route withChosen(boolean chosen) {
    return new Route(template, chosen, keyRequired, mode);
  }

  public Route withKeyRequired(boolean required) {
    return new Route(template, chosen, Optional.of(required), mode);
  }

  /**
   * Returns whether a scope with this template could be read as that of another route and caller.
   */
  static boolean namesCaller(String template) {
    return (template + ScopeRule.ACTOR).indexOf(ScopeRule.ACTOR) < template.length();
  }
}
