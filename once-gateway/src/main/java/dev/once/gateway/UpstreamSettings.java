package dev.once.gateway;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * A service behind the gateway.
 *
 * @param path the prefix of the paths that go to it
 * @param url its address; a path in it is put before that of each request
 * @param timeout how long it may take to answer
 * @param breaker when it is no longer called; always called without one
 */
record UpstreamSettings(String path, URI url, Duration timeout, Optional<BreakerSettings> breaker) {
  static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  UpstreamSettings {
    boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
    if (!isHttp
        || url.getHost() == null
        || url.getRawQuery() != null
        || url.getRawFragment() != null
        || url.getRawUserInfo() != null) {
      throw new SettingsException(
          "upstream must be an address such as http://127.0.0.1:9000, got " + url);
    }
    if (!path.startsWith("/")) {
      throw new SettingsException("path of an upstream must start with /, got " + path);
    }
  }

  static UpstreamSettings of(String url) {
    return new UpstreamSettings("/", address(url), DEFAULT_TIMEOUT, Optional.empty());
  }

  static URI address(String url) {
    try {
      return URI.create(url);
    } catch (IllegalArgumentException e) {
      throw new SettingsException(
          "upstream must be an address such as http://127.0.0.1:9000, got " + url, e);
    }
  }

  /** Returns the address of the service for the path and the query of a request. */
  String target(String rawPath, String rawQuery) {
    String base = url.toString();
    String root = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    return root + rawPath + (rawQuery.isEmpty() ? "" : "?" + rawQuery);
  }

  /** Returns whether requests with this path go to it. */
  boolean takes(String requestPath) {
    String prefix = path.endsWith("/") ? path : path + "/";
    return (requestPath + "/").startsWith(prefix);
  }

  UpstreamSettings withTimeout(Duration timeout) {
    return new UpstreamSettings(path, url, timeout, breaker);
  }
}
