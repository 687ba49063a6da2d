package dev.once.console;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A user, and what it may see and change. Immutable; {@code
 * ConsoleUser.operator("ada").withTenants(Set.of("acme"))}.
 */
public final class ConsoleUser {
  public static final int MAX_NAME_CHARS = 100;

  private final String name;
  private final Set<ConsoleAction> actions;
  private final Optional<Set<String>> tenants;
  private final PayloadView payloads;

  private ConsoleUser(
      String name,
      Set<ConsoleAction> actions,
      Optional<Set<String>> tenants,
      PayloadView payloads) {
    if (name.isBlank() || name.length() > MAX_NAME_CHARS || name.indexOf(0) >= 0) {
      throw new IllegalArgumentException(
          "name must have 1 to %d characters, got %d".formatted(MAX_NAME_CHARS, name.length()));
    }
    this.name = name;
    this.actions = Set.copyOf(actions);
    this.tenants = tenants.map(Set::copyOf);
    this.payloads = payloads;
  }

  /** Returns a user who sees every tenant without payloads, and changes nothing. */
  public static ConsoleUser viewer(String name) {
    return new ConsoleUser(
        name, EnumSet.noneOf(ConsoleAction.class), Optional.empty(), PayloadView.HIDDEN);
  }

  /** Returns a user who sees every tenant with masked payloads, and may do everything. */
  public static ConsoleUser operator(String name) {
    return new ConsoleUser(name, ConsoleAction.ALL, Optional.empty(), PayloadView.MASKED);
  }

  /** Limits or extends what the user may change. */
  public ConsoleUser withActions(Set<ConsoleAction> actions) {
    return new ConsoleUser(name, actions, tenants, payloads);
  }

  /**
   * Limits the user to these tenants: what belongs to others, or to the process as a whole, does
   * not exist for it.
   */
  public ConsoleUser withTenants(Set<String> tenants) {
    return new ConsoleUser(name, actions, Optional.of(tenants), payloads);
  }

  public ConsoleUser withPayloads(PayloadView payloads) {
    return new ConsoleUser(name, actions, tenants, payloads);
  }

  /** Returns the name, for the audit trail. */
  public String name() {
    return name;
  }

  public Set<ConsoleAction> actions() {
    return actions;
  }

  /** Returns the tenants that the user may see; every tenant when empty. */
  public Optional<Set<String>> tenants() {
    return tenants;
  }

  public PayloadView payloads() {
    return payloads;
  }

  boolean sees(String tenant) {
    return tenants.map(it -> it.contains(tenant)).orElse(true);
  }
}
