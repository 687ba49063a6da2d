package dev.once.examples.planning;

/**
 * The demo's tokens. They are public, so they are valid in the demo's own process only: neither in
 * its database nor after it has ended.
 */
final class DemoTokens {
  private DemoTokens() {}

  /** Lists the tokens for the user. */
  static String words() {
    return "acme-planner, acme-viewer (reads only), globex-planner";
  }

  static void lend(ApiTokens tokens) {
    tokens.lend("acme-planner", "acme", "demo-planner", Role.PLANNER);
    tokens.lend("acme-viewer", "acme", "demo-viewer", Role.VIEWER);
    tokens.lend("globex-planner", "globex", "demo-planner", Role.PLANNER);
  }
}
