package dev.once.gateway;

import java.util.List;
import java.util.Optional;

/**
 * How clients prove who they are. A request that carries one of these is judged by it.
 *
 * @param jwt tokens in the header Authorization
 * @param apiKeys keys in the header X-API-Key
 * @param trusted headers that listed peers may set
 */
record AuthenticationSettings(
    Optional<JwtSettings> jwt, List<ApiKey> apiKeys, Optional<TrustedHeaderSettings> trusted) {
  static final AuthenticationSettings NONE =
      new AuthenticationSettings(Optional.empty(), List.of(), Optional.empty());

  AuthenticationSettings {
    apiKeys = List.copyOf(apiKeys);
  }

  boolean isConfigured() {
    return jwt.isPresent() || !apiKeys.isEmpty() || trusted.isPresent();
  }
}
