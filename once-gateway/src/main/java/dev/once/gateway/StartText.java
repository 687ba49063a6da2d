package dev.once.gateway;

import java.io.PrintStream;

/** What a gateway says when it has started. */
final class StartText {
  private StartText() {}

  static void print(
      PrintStream out, GatewaySettings settings, GatewayStore store, Gateway gateway) {
    String scheme = settings.listen().tls().isPresent() ? "https" : "http";
    String address = scheme + "://" + settings.listen().host() + ":" + gateway.port();
    ProtectionSettings protection = settings.protection();
    out.println("once gateway on " + address);
    for (UpstreamSettings upstream : settings.upstreams()) {
      out.println("  " + upstream.path() + " goes to " + upstream.url());
    }
    out.println(
        protection.mode() == ProtectionSettings.Mode.REPORT
            ? "  reports duplicates and stops nothing"
            : "  contract " + protection.contract().name() + ", " + unrouted(settings));
    out.println("  records are in " + store.place());
    out.println(
        settings.authentication().isConfigured()
            ? "  tenant and caller come from authentication"
            : "  without authentication: for this machine alone, one tenant ("
                + Identity.LOCAL.tenant()
                + ")");
    String operators = "http://" + settings.admin().host() + ":" + gateway.adminPort();
    out.println("  console: " + operators + "/once/ (from this machine)");
    out.println("  health: " + operators + "/once/health, metrics: " + operators + "/metrics");
    out.flush();
  }

  private static String unrouted(GatewaySettings settings) {
    return switch (settings.protection().unrouted()) {
      case PROTECT -> "on all writes";
      case REFUSE -> "on the writes of its routes; others are refused";
      case PASS -> "on the writes of its routes; others pass";
    };
  }
}
