package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Caller;
import io.github.bucket4j.TimeMeter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** Limits of callers; each test over HTTP has a caller of its own. */
@OnEachServer
class RateLimitTest {
  private static final Caller ANN = new Caller("acme", "ann");
  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private OpsApp app;

  @BeforeParameterizedClassInvocation
  void start() {
    app =
        OpsApp.startOn(
            server,
            "once.rate-limit.enabled=true",
            "once.rate-limit.requests=2",
            "once.rate-limit.per=1h");
  }

  @AfterParameterizedClassInvocation
  void stop() {
    app.close();
  }

  // A14
  @Test
  void refusesOneTooManyBeforeAnythingIsStored() {
    app.post("/orders/1", "limited", "ann", "limited-1", "{}");
    app.post("/orders/1", "limited", "ann", "limited-2", "{}");
    int records = app.records();
    int executions = app.handlers().executions.get();

    HttpResponse<String> refused = app.post("/orders/1", "limited", "ann", "limited-3", "{}");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).contains("\"code\":\"rate.limited\"");
    assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
        .isBetween(1700L, 1800L);
    assertThat(app.records()).isEqualTo(records);
    assertThat(app.handlers().executions).hasValue(executions);
  }

  @Test
  void limitsEachCallerOfEachTenantByItself() {
    for (int i = 0; i < 3; i++) {
      app.post("/orders/1", "alone", "ann", "alone-" + i, "{}");
    }

    assertThat(app.post("/orders/1", "alone", "ann", "k", "{}").statusCode()).isEqualTo(429);
    assertThat(app.post("/orders/1", "alone", "bob", "k", "{}").statusCode()).isEqualTo(201);
    assertThat(app.post("/orders/1", "other", "ann", "k", "{}").statusCode()).isEqualTo(201);
  }

  @Test
  void limitsNoReads() {
    for (int i = 0; i < 5; i++) {
      assertThat(app.get("/orders/1").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void fillsUpSteadily() {
    AtomicLong now = new AtomicLong();
    RateLimits limits = limits(60, 10, now);
    for (int i = 0; i < 60; i++) {
      assertThat(limits.take(ANN)).isZero();
    }
    assertThat(limits.take(ANN)).isEqualTo(Duration.ofSeconds(1));

    now.addAndGet(Duration.ofMillis(400).toNanos());
    assertThat(limits.take(ANN)).isEqualTo(Duration.ofMillis(600));
    now.addAndGet(Duration.ofMillis(600).toNanos());
    assertThat(limits.take(ANN)).isZero();
  }

  @Test
  void forgetsTheCallerThatWasLongestAway() {
    RateLimits limits = limits(1, 2, new AtomicLong());
    limits.take(ANN);
    limits.take(new Caller("acme", "bob"));
    limits.take(ANN);
    limits.take(new Caller("acme", "cem")); // Bob is forgotten, Ann is not.

    assertThat(limits.take(ANN)).isPositive();
    assertThat(limits.take(new Caller("acme", "bob"))).isZero();
  }

  private static RateLimits limits(int requests, int maxCallers, AtomicLong now) {
    TimeMeter clock =
        new TimeMeter() {
          @Override
          public long currentTimeNanos() {
            return now.get();
          }

          @Override
          public boolean isWallClockBased() {
            return false;
          }
        };
    return new RateLimits(
        new RateLimitProperties(true, requests, Duration.ofMinutes(1), maxCallers), clock);
  }
}
