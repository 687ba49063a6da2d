package dev.once.examples.planning;

/**
 * The demo's tokens. Everybody knows them, so they are valid in the demo's own process and nowhere
 * else: not in its database, and not after it.
 */
final class DemoTokens {
  private DemoTokens() {}

  /** Names the tokens for whoever wants to try them. */
  static String words() {
    return "acme-planner, acme-viewer (reads only), globex-planner";
  }

  static void lend(ApiTokens tokens) {
    tokens.lend("acme-planner", "acme", "demo-planner", Role.PLANNER);
    tokens.lend("acme-viewer", "acme", "demo-viewer", Role.VIEWER);
    tokens.lend("globex-planner", "globex", "demo-planner", Role.PLANNER);
  }
}
