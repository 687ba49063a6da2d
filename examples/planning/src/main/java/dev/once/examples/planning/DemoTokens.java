package dev.once.examples.planning;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.springframework.stereotype.Component;

/**
 * The demo's tokens. Everybody knows them, so they are valid while the demo runs and not a moment
 * longer: it adds them once it is up and removes them when it stops. A demo that is killed, on a
 * database that others use too, removes nothing. So every start of the service removes them as
 * well, before it takes its first request. A table with a time of expiry would need neither, but
 * every token of the service would carry a column for the demo's sake.
 */
@Component
class DemoTokens {
  private final ApiTokens tokens;

  DemoTokens(ApiTokens tokens) {
    this.tokens = tokens;
  }

  /** Names the tokens for whoever wants to try them. */
  static String words() {
    return "acme-planner, acme-viewer (reads only), globex-planner";
  }

  void add() {
    tokens.add("acme-planner", "acme", "demo-planner", Role.PLANNER);
    tokens.add("acme-viewer", "acme", "demo-viewer", Role.VIEWER);
    tokens.add("globex-planner", "globex", "demo-planner", Role.PLANNER);
  }

  @PostConstruct
  @PreDestroy
  void remove() {
    tokens.remove("acme-planner");
    tokens.remove("acme-viewer");
    tokens.remove("globex-planner");
  }
}
