package dev.once.gateway;

import java.io.PrintStream;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a gateway says when it starts and stops: to people, or to programs in its log. */
record StartText(boolean isForPrograms) {
  private static final Logger LOG = LoggerFactory.getLogger(StartText.class);

  static StartText of(Map<String, String> environment) {
    return new StartText("json".equals(environment.get("ONCE_LOG")));
  }

  void started(GatewaySettings settings, GatewayStore store, Gateway gateway) {
    if (isForPrograms) {
      LOG.atInfo()
          .addKeyValue("address", address(settings, gateway))
          .addKeyValue("admin", operators(settings, gateway))
          .log("gateway.started");
    } else {
      print(System.out, settings, store, gateway);
    }
  }

  void stopping() {
    if (isForPrograms) {
      LOG.atInfo().log("gateway.stopping");
    } else {
      System.out.println("stopping: running requests are finished first");
    }
  }

  private static String address(GatewaySettings settings, Gateway gateway) {
    String scheme = settings.listen().tls().isPresent() ? "https" : "http";
    return scheme + "://" + settings.listen().host() + ":" + gateway.port();
  }

  private static String operators(GatewaySettings settings, Gateway gateway) {
    return "http://" + settings.admin().host() + ":" + gateway.adminPort();
  }

  private static void print(
      PrintStream out, GatewaySettings settings, GatewayStore store, Gateway gateway) {
    String address = address(settings, gateway);
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
    String operators = operators(settings, gateway);
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
