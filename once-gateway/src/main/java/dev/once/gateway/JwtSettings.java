package dev.once.gateway;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Which tokens are accepted.
 *
 * @param keys where the keys are that sign them
 * @param algorithms the only algorithms that are accepted
 * @param issuer who must have issued them
 * @param audience for whom they must be
 * @param tenantClaim the claim with the tenant
 * @param callerClaim the claim with the caller
 * @param clockSkew by how much clocks may differ
 */
record JwtSettings(
    Keys keys,
    Set<String> algorithms,
    String issuer,
    String audience,
    String tenantClaim,
    String callerClaim,
    Duration clockSkew) {
  /** Where keys are. */
  sealed interface Keys {
    /** Public keys that the issuer publishes. */
    record Published(URI jwks) implements Keys {}

    /** A key that the issuer and the gateway share: the bytes of a file. */
    record Shared(Path file) implements Keys {}
  }

  JwtSettings {
    algorithms = Set.copyOf(algorithms);
    boolean isShared = keys instanceof Keys.Shared;
    for (String algorithm : algorithms) {
      if (algorithm.startsWith("HS") != isShared) {
        throw new SettingsException(
            "algorithm "
                + algorithm
                + " does not fit the keys: HS256, HS384 and HS512 go with a shared key, all others"
                + " with published ones");
      }
    }
  }

  /** Returns the issuer's address of keys, if it publishes them. */
  Optional<URI> jwks() {
    return keys instanceof Keys.Published it ? Optional.of(it.jwks()) : Optional.empty();
  }
}
