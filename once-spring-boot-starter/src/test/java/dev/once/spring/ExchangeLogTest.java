package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.once.EngineEvent;
import dev.once.Key;
import dev.once.StoreException;
import dev.once.UnreadableOutcomeException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.http.ResponseEntity;

/** What is logged about requests with a key. */
@OnEachServer
class ExchangeLogTest {
  private static final String HASH = new Key("t", "s", "secret-key").shortHash();

  private static final String ABOUT =
      " tenant=acme actor=ann key_hash=" + HASH + " endpoint=\"POST /orders/{id}\" status=201";

  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private OpsApp app;

  @SuppressWarnings("NullAway.Init")
  private LogLines log;

  @BeforeParameterizedClassInvocation
  void use() {
    app = OpsApp.shared(server);
  }

  @BeforeEach
  void start() {
    log = LogLines.of(ExchangeLog.class);
    app.sql().execute("DELETE FROM once_record");
  }

  @AfterEach
  void close() {
    log.close();
    app.handlers().answer = () -> OpsApi.CREATED;
  }

  // A24, A26, D12
  @Test
  void logsAMissAtDebugAndAHitAtInfo() {
    post("r-1", "c-1", "{}");
    post("r-2", "c-2", "{}");

    assertThat(log.lines().get(0))
        .isEqualTo(
            "DEBUG idempotency.miss" + ABOUT + " replayed=false request_id=r-1 correlation_id=c-1");
    assertThat(log.lines().get(1))
        .startsWith("INFO idempotency_cache_hit" + ABOUT + " replayed=true cached_status=201")
        .containsPattern(" cached_at=20[-0-9]*T[:.0-9]*Z ")
        .endsWith(" request_id=r-2 correlation_id=c-2");
  }

  // A25, A29
  @Test
  void leadsFromAReplayToTheAuditOfTheFirstRequest() {
    app.handlers().answer =
        () -> ResponseEntity.status(201).header("X-Audit-ID", "audit-7").build();
    post("r-1", "c-1", "{}");
    post("r-2", "c-2", "{}");

    assertThat(log.lines())
        .filteredOn(line -> line.contains("audit.replay"))
        .containsExactly(
            "INFO audit.replay" + ABOUT + " audit_id=audit-7 request_id=r-1 correlation_id=c-1");
  }

  @Test
  void logsAConflict() {
    post("r-1", "c-1", "{}");
    post("r-2", "c-2", "{\"secret\":\"payload\"}");

    assertThat(log.lines()).last().asString().startsWith("INFO idempotency.conflict");
    assertThat(log.lines()).last().asString().contains("status=409", "replayed=false");
  }

  // D12
  @Test
  void logsAConcurrentRequest() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    app.handlers().answer =
        () -> {
          started.countDown();
          go.await();
          return OpsApi.CREATED;
        };

    var first = app.postLater("/payments/1", "acme", "secret-key", "{}");
    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
    app.post("/payments/1", "acme", "secret-key", "{}");
    assertThat(log.lines())
        .last()
        .asString()
        .startsWith("WARN idempotency_concurrent_request tenant=acme");
    go.countDown();
    first.join();
  }

  // A26
  @Test
  void neverLogsAKeyOrAPayload() {
    post("r-1", "c-1", "{\"secret\":\"payload\"}");
    post("r-2", "c-2", "{\"secret\":\"payload\"}");

    assertThat(log.lines()).hasSize(3).noneMatch(line -> line.contains("secret"));
  }

  @Test
  void logsAnUnknownOutcomeWithItsCause() {
    StoreException cause = new StoreException("complete failed: connection refused", null);
    try (LogLines engine = LogLines.of(EngineLog.class)) {
      new EngineLog().on(new EngineEvent.OutcomeUnknown(new Key("acme", "s", "secret"), 7, cause));

      ILoggingEvent line = engine.events().get(0);
      assertThat(engine.lines().get(0)).startsWith("ERROR once.outcome_unknown tenant=acme");
      assertThat(engine.lines().get(0)).doesNotContain("secret");
      assertThat(line.getThrowableProxy().getMessage()).contains("connection refused");
    }
  }

  @Test
  void logsAnUnreadableOutcomeWithTheKeyThatIsMissing() {
    Key key = new Key("acme", "s", "secret");
    var cause = new UnreadableOutcomeException(key, "k1", "add that key to the ring", null);
    try (LogLines engine = LogLines.of(EngineLog.class)) {
      new EngineLog().on(new EngineEvent.Unreadable(key, Optional.of("k1"), cause));

      assertThat(engine.lines().get(0))
          .startsWith("ERROR once.unreadable ")
          .contains("key_id=k1")
          .doesNotContain("secret");
    }
  }

  private void post(String requestId, String correlationId, String body) {
    OpsApp.send(
        app.posted("/orders/1", "acme", "ann", "secret-key", body)
            .header("X-Request-ID", requestId)
            .header("X-Correlation-ID", correlationId)
            .build());
  }
}
