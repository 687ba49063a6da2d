package dev.once.gateway;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that a gateway is told. Immutable; {@link SettingsFile} reads it.
 *
 * @param listen where clients connect
 * @param admin where health and metrics are
 * @param store where records are kept
 * @param cache which answers are in memory too
 * @param upstreams the services behind it; that with the longest prefix of a path gets the request
 * @param trustedAuthorities the certificates by which those of services are verified
 * @param authentication how clients prove who they are
 * @param protection what happens to requests without a route, and to all others unless they differ
 * @param bodies how large guarded bodies may be
 * @param routes the operations that have settings of their own
 * @param webhooks what providers send, and which service gets it
 * @param rateLimit how many writes a caller may send; unlimited without one
 */
record GatewaySettings(
    ListenSettings listen,
    AdminSettings admin,
    StoreSettings store,
    CacheSettings cache,
    List<UpstreamSettings> upstreams,
    Optional<Path> trustedAuthorities,
    AuthenticationSettings authentication,
    ProtectionSettings protection,
    BodySettings bodies,
    List<RouteSettings> routes,
    List<WebhookSettings> webhooks,
    Optional<RateLimitSettings> rateLimit) {
  GatewaySettings {
    if (!authentication.isConfigured() && !listen.isLoopback()) {
      throw new SettingsException(
          "without authentication, every client would share one tenant, and the gateway listens on "
              + listen.host()
              + ": add authentication: to the file, or listen on 127.0.0.1");
    }
    if (upstreams.isEmpty()) {
      throw new SettingsException(
          "there is no service to forward to: name one with --upstream, or with upstream: in the"
              + " file");
    }
    upstreams = List.copyOf(upstreams);
    routes = List.copyOf(routes);
    webhooks = List.copyOf(webhooks);
    requireDifferentNames(webhooks);
  }

  private static void requireDifferentNames(List<WebhookSettings> webhooks) {
    Set<String> names = new HashSet<>();
    for (WebhookSettings it : webhooks) {
      if (!names.add(it.name())) {
        throw new SettingsException("two webhooks have the name " + it.name());
      }
    }
  }

  /** Returns whether a running gateway can take {@code other} without a restart. */
  boolean canBecome(GatewaySettings other) {
    return listen.equals(other.listen)
        && admin.equals(other.admin)
        && store.equals(other.store)
        && cache.equals(other.cache)
        && webhooks.equals(other.webhooks)
        && trustedAuthorities.equals(other.trustedAuthorities)
        && bodies.sharesSpool(other.bodies);
  }
}
