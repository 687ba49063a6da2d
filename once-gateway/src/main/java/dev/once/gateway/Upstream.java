package dev.once.gateway;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A service behind the gateway, and whether it is called at the moment. */
final class Upstream {
  private static final int FIRST_FAILURE = 500;

  private final UpstreamSettings settings;
  private final Optional<CircuitBreaker> breaker;

  Upstream(UpstreamSettings settings) {
    this.settings = settings;
    this.breaker =
        settings.breaker().map(it -> CircuitBreaker.of(settings.url().toString(), config(it)));
  }

  private static CircuitBreakerConfig config(BreakerSettings settings) {
    return CircuitBreakerConfig.custom()
        .failureRateThreshold(settings.failureRate())
        .slidingWindowSize(settings.calls())
        .minimumNumberOfCalls(settings.calls())
        .waitDurationInOpenState(settings.openTime())
        .permittedNumberOfCallsInHalfOpenState(1)
        .build();
  }

  UpstreamSettings settings() {
    return settings;
  }

  /** Returns the address for a path and a query as a client sent them; empty if they make none. */
  Optional<URI> address(@Nullable String rawPath, @Nullable String rawQuery) {
    if (rawPath == null || !rawPath.startsWith("/")) {
      return Optional.empty();
    }
    try {
      return Optional.of(URI.create(settings.target(rawPath, rawQuery == null ? "" : rawQuery)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns whether a call may start; its end must be reported then. */
  boolean admits() {
    return breaker.map(CircuitBreaker::tryAcquirePermission).orElse(true);
  }

  boolean hasBreaker() {
    return breaker.isPresent();
  }

  /** Ends a call by the status of its answer. */
  void answered(int status) {
    if (status >= FIRST_FAILURE) {
      failed(new IOException("the upstream answered " + status));
    } else {
      breaker.ifPresent(it -> it.onSuccess(0, TimeUnit.NANOSECONDS));
    }
  }

  void failed(Throwable failure) {
    breaker.ifPresent(it -> it.onError(0, TimeUnit.NANOSECONDS, failure));
  }

  /** Ends a call that says nothing about the service, because its client gave up. */
  void released() {
    breaker.ifPresent(CircuitBreaker::releasePermission);
  }

  /** Returns how long a client should wait while the service is not called. */
  Duration openTime() {
    return settings.breaker().map(BreakerSettings::openTime).orElse(Duration.ZERO);
  }
}
