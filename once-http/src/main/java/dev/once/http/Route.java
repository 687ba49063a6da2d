package dev.once.http;

import dev.once.Terms;
import java.util.Optional;
import java.util.Set;

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
  private final Optional<Terms> terms;
  private final Optional<ScopeRule> scope;
  private final Optional<Set<String>> comparedHeaders;

  private Route(
      String template,
      boolean chosen,
      Optional<Boolean> keyRequired,
      Mode mode,
      Optional<Terms> terms,
      Optional<ScopeRule> scope,
      Optional<Set<String>> comparedHeaders) {
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
    this.terms = terms;
    this.scope = scope;
    this.comparedHeaders = comparedHeaders.map(Contract::lowerCase);
  }

  /** Returns a route that was not chosen by name and has no settings of its own. */
  public static Route of(String template, Mode mode) {
    return new Route(
        template,
        false,
        Optional.empty(),
        mode,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
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

  /** Returns its times and sizes, if they differ from the contract's. */
  public Optional<Terms> terms() {
    return terms;
  }

  /** Returns the scope in which its keys are unique, if that differs from the contract's. */
  public Optional<ScopeRule> scope() {
    return scope;
  }

  /**
   * Returns which request headers its requests are compared by, if they differ from the contract's;
   * in lower case.
   */
  public Optional<Set<String>> comparedHeaders() {
    return comparedHeaders;
  }

  public Route withChosen(boolean chosen) {
    return new Route(template, chosen, keyRequired, mode, terms, scope, comparedHeaders);
  }

  public Route withMode(Mode mode) {
    return new Route(template, chosen, keyRequired, mode, terms, scope, comparedHeaders);
  }

  public Route withKeyRequired(boolean required) {
    return new Route(template, chosen, Optional.of(required), mode, terms, scope, comparedHeaders);
  }

  public Route withTerms(Terms terms) {
    return new Route(
        template, chosen, keyRequired, mode, Optional.of(terms), scope, comparedHeaders);
  }

  public Route withScope(ScopeRule scope) {
    return new Route(
        template, chosen, keyRequired, mode, terms, Optional.of(scope), comparedHeaders);
  }

  public Route withComparedHeaders(Set<String> headers) {
    return new Route(template, chosen, keyRequired, mode, terms, scope, Optional.of(headers));
  }

  /**
   * Returns whether a scope with this template could be read as that of another route and caller.
   */
  static boolean namesCaller(String template) {
    return (template + ScopeRule.ACTOR).indexOf(ScopeRule.ACTOR) < template.length();
  }
}
