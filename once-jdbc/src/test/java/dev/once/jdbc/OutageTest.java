package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Key;
import dev.once.Once;
import dev.once.OutcomeUnknownException;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.spi.State;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The server dies by SIGKILL at the worst moments, and comes back. */
class OutageTest {
  private final AtomicInteger charges = new AtomicInteger();
  private final Request<@Nullable String> charge =
      Request.of(new Key("acme", "payments", "order-42"), Codec.text())
          .withTerms(Terms.DEFAULT.withRecovery(Recovery.ASK).withLease(Duration.ofSeconds(5)));
  private final EmbeddedPostgres server = EmbeddedPostgres.builder().start();
  private final DataSource database = server.newDatabase("outage");
  private final JdbcRecordStore store = openStore();
  private final Once once = Once.over(store);

  /** Without a pool, which would wait between its own tries to connect again. */
  private JdbcRecordStore openStore() {
    JdbcSchema.apply(database);
    return JdbcRecordStore.over(database);
  }

  @AfterEach
  void stop() {
    once.close();
    server.close();
  }

  @Test
  void runsNothingWhileTheStoreIsDownAndWorksOnceItIsBack() {
    server.kill();
    assertThatThrownBy(() -> once.run(charge, execution -> charge()))
        .isInstanceOf(StoreException.class);
    assertThat(charges).hasValue(0);

    server.restart();

    assertThat(once.run(charge, execution -> charge())).isInstanceOf(Result.Executed.class);
    assertThat(charges).hasValue(1);
  }

  @Test
  void saysUnknownWhenTheStoreDiesAfterTheEffect() {
    Terms soonOver = charge.terms().withLease(Duration.ofSeconds(2));
    assertThatThrownBy(
            () ->
                once.run(
                    charge.withTerms(soonOver),
                    execution -> {
                      charge();
                      server.kill();
                      return "receipt";
                    }))
        .isInstanceOf(OutcomeUnknownException.class);

    server.restart();

    assertThat(store.find(charge.key()).orElseThrow().state())
        .isIn(State.IN_PROGRESS, State.UNCERTAIN);
    Result<@Nullable String> asked =
        once.run(
            charge
                .withTerms(charge.terms().withMaxWait(Duration.ofSeconds(60)))
                .withReconciler(execution -> EffectState.happened("receipt")),
            execution -> charge());
    assertThat(asked.orThrow()).isEqualTo("receipt");
    assertThat(charges).hasValue(1);
  }

  /** Connections stay open, and calls hang for as long as the server is paused. */
  @Test
  void recordsAnOutcomeWhenTheServerGoesOnWithinTheLease() {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    Result<@Nullable String> result =
        once.run(
            charge,
            execution -> {
              server.pause();
              Future<?> unused = timer.schedule(server::resume, 700, TimeUnit.MILLISECONDS);
              return charge();
            });
    timer.shutdown();

    assertThat(result).isInstanceOf(Result.Executed.class);
    assertThat(once.run(charge, execution -> charge())).isInstanceOf(Result.Replayed.class);
    assertThat(charges).hasValue(1);
  }

  @Test
  void recordsAnOutcomeWhosePooledConnectionsDiedDuringTheEffect() {
    try (HikariDataSource pool = TestDatabase.poolOf(database);
        Once pooled = Once.over(JdbcRecordStore.over(pool))) {
      Result<@Nullable String> first =
          pooled.run(
              charge,
              execution -> {
                server.kill();
                server.restart();
                return charge();
              });

      assertThat(first).isInstanceOf(Result.Executed.class);
    }
    assertThat(once.run(charge, execution -> charge())).isInstanceOf(Result.Replayed.class);
    assertThat(charges).hasValue(1);
  }

  private String charge() {
    return "receipt " + charges.incrementAndGet();
  }
}
