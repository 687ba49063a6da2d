package dev.once.http;

import java.util.Optional;

/**
 * One operation of an API: the settings that all its requests share.
 *
 * @param template the path with names in place of ids: {@code /v1/projects/{project_id}/missions}
 * @param chosen whether it was selected by name, for contracts that cover chosen routes only
 * @param keyRequired whether a key is required here, if that differs from the contract
 * @param mode how its effect is executed
 */
public record Route(String template, boolean chosen, Optional<Boolean> keyRequired, Mode mode) {
  public static final int MAX_TEMPLATE_CHARS = 256;

  /** How the effect of a route is executed. */
  public enum Mode {
    /** Claim, execute and complete as separate steps: for effects outside the database. */
    LEASED,
    /** Claim, business writes and outcome in one database transaction. */
    TRANSACTIONAL
  }

  public Route {
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
  }

  /**
   * Returns whether a scope with this template could be read as that of another route and caller.
   */
  static boolean namesCaller(String template) {
    return (template + ScopeRule.ACTOR).indexOf(ScopeRule.ACTOR) < template.length();
  }

  /** Returns a route that was not chosen by name and has no settings of its own. */
  public static Route of(String template, Mode mode) {
    return new Route(template, false, Optional.empty(), mode);
  }
}
