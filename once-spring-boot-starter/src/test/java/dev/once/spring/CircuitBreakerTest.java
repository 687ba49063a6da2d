package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.server.ResponseStatusException;

/** What happens to operations while most of them fail. */
@OnEachServer
class CircuitBreakerTest {
  private static final long BEFORE_IT_OPENS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private OpsApp app;

  @SuppressWarnings("NullAway.Init")
  private CircuitBreaker breaker;

  @BeforeParameterizedClassInvocation
  void start() {
    app =
        OpsApp.startOn(
            server,
            "once.circuit-breaker.enabled=true",
            "once.circuit-breaker.window=4",
            "once.circuit-breaker.minimum-calls=4",
            "once.circuit-breaker.open-for=1h");
    breaker = app.bean(CircuitBreaker.class);
    // It counts a failure first and opens then. A test that ends in between leaves the next one an
    // open breaker.
    breaker
        .getEventPublisher()
        .onFailureRateExceeded(event -> LockSupport.parkNanos(BEFORE_IT_OPENS_NANOS));
  }

  @AfterParameterizedClassInvocation
  void stop() {
    app.close();
  }

  @BeforeEach
  void forget() {
    breaker.reset();
    app.sql().execute("DELETE FROM once_record");
    app.handlers().answer = () -> OpsApi.CREATED;
  }

  @ParameterizedTest
  @ValueSource(strings = {"/orders/1", "/payments/1", "/exports/1"})
  void opensAfterHalfOfTheOperationsFailed(String path) {
    posts(path, "good", 2);
    await(() -> breaker.getMetrics().getNumberOfSuccessfulCalls() == 2);
    assertThat(breaker.getState()).isEqualTo(State.CLOSED);
    app.handlers().answer = () -> ResponseEntity.status(500).build();
    posts(path, "bad", 2);

    await(() -> breaker.getState() == State.OPEN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/orders/1", "/payments/1", "/exports/1"})
  void countsErrorsThatTheContainerIsAskedToSend(String path) {
    app.handlers().answer =
        () -> {
          throw new ResponseStatusException(HttpStatus.BAD_GATEWAY);
        };
    posts(path, "sent", 4);

    await(() -> breaker.getState() == State.OPEN);
    assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/orders/1", "/payments/1", "/exports/1"})
  void countsExceptions(String path) {
    app.handlers().answer =
        () -> {
          throw new IllegalStateException("thrown by the handler");
        };
    posts(path, "thrown", 4);

    await(() -> breaker.getState() == State.OPEN);
    assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/orders/1", "/payments/1", "/exports/1"})
  void takesRefusalsForSuccesses(String path) {
    app.handlers().answer = () -> ResponseEntity.status(422).build();
    posts(path, "refused", 4);

    await(() -> breaker.getMetrics().getNumberOfSuccessfulCalls() == 4);
    assertThat(breaker.getState()).isEqualTo(State.CLOSED);
  }

  // A15
  @ParameterizedTest
  @ValueSource(strings = {"/orders/1", "/payments/1", "/exports/1"})
  void refusesWhileOpenWithoutAnyEffect(String path) {
    breaker.transitionToOpenState();
    int executions = app.handlers().executions.get();

    HttpResponse<String> refused = app.post(path, "acme", "refused", "{}");

    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("\"code\":\"circuit.open\"");
    assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
        .isBetween(3500L, 3600L);
    assertThat(app.handlers().executions).hasValue(executions);
  }

  // A15
  @ParameterizedTest
  @ValueSource(strings = {"/orders/1", "/payments/1", "/exports/1"})
  void keepsTheRecordOfARefusedOperationOpen(String path) {
    breaker.transitionToOpenState();

    app.post(path, "acme", "kept", "{}");

    assertThat(app.state("kept")).isEqualTo("open");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/orders/1", "/payments/1", "/exports/1"})
  void executesARefusedOperationAfterItCloses(String path) {
    breaker.transitionToOpenState();
    app.post(path, "acme", "later", "{}");
    breaker.transitionToClosedState();

    HttpResponse<String> executed = app.post(path, "acme", "later", "{}");

    assertThat(executed.statusCode()).isEqualTo(201);
    assertThat(executed.headers().firstValue("Idempotency-Replayed")).isEmpty();
    await(() -> breaker.getMetrics().getNumberOfSuccessfulCalls() == 1);
  }

  @Test
  void answersReplaysAndReadsWhileOpen() {
    assertThat(app.post("/payments/1", "acme", "replayed", "{}").statusCode()).isEqualTo(201);
    breaker.transitionToOpenState();

    HttpResponse<String> replay = app.post("/payments/1", "acme", "replayed", "{}");

    assertThat(replay.statusCode()).isEqualTo(201);
    assertThat(replay.headers().firstValue("Idempotency-Replayed")).hasValue("true");
    assertThat(app.get("/orders/1").statusCode()).isEqualTo(200);
    assertThat(breaker.getState()).isEqualTo(State.OPEN);
  }

  @Test
  void usesTheBreakerThatTheApplicationBrings() {
    try (OpsApp own =
        OpsApp.start(
            List.of(OpsApi.class, OwnBreaker.class, server), "once.circuit-breaker.enabled=true")) {
      own.bean(CircuitBreaker.class).transitionToOpenState();

      HttpResponse<String> refused = own.post("/payments/1", "acme", "own", "{}");

      assertThat(own.bean(CircuitBreaker.class).getName()).isEqualTo("mine");
      assertThat(refused.statusCode()).isEqualTo(503);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnBreaker {
    @Bean
    CircuitBreaker onceCircuitBreaker() {
      return CircuitBreaker.ofDefaults("mine");
    }
  }

  /** The end of an asynchronous operation reaches the breaker just after the client. */
  private void await(BooleanSupplier isSo) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!isSo.getAsBoolean() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    assertThat(isSo.getAsBoolean()).as("%s", breaker.getMetrics()).isTrue();
  }

  private void posts(String path, String key, int count) {
    for (int i = 0; i < count; i++) {
      app.post(path, "acme", key + i, "{}");
    }
  }
}
