package dev.once.examples.planning;

import dev.once.http.Caller;

/**
 * The demo's tokens. They are public, so they are valid in the demo's own process only: neither in
 * its database nor after it has ended.
 */
final class DemoTokens {
  static final Caller ACME_PLANNER = new Caller("acme", "demo-planner");

  private DemoTokens() {}

  /** Lists the tokens for the user. */
  static String words() {
    return "acme-planner, acme-viewer (reads only), acme-operator (monitors), globex-planner";
  }

  static void lend(ApiTokens tokens) {
    tokens.lend("acme-planner", ACME_PLANNER.tenant(), ACME_PLANNER.id(), Role.PLANNER);
    tokens.lend("acme-viewer", "acme", "demo-viewer", Role.VIEWER);
    tokens.lend("acme-operator", "acme", "demo-operator", Role.OPERATOR);
    tokens.lend("globex-planner", "globex", "demo-planner", Role.PLANNER);
  }
}
