package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.OutcomeUnknownException;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.Verdict;
import dev.once.spi.State;
import dev.once.testkit.RealPostgres;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server dies by SIGKILL at the worst moments, and comes back. */
class OutageTest {
  private final AtomicInteger charges = new AtomicInteger();
  private final Request<@Nullable String> charge =
      Request.of(new Key("acme", "payments", "order-42"), Codec.text())
          .withTerms(Terms.DEFAULT.withRecovery(Recovery.ASK).withLease(Duration.ofSeconds(2)));
  private final RealPostgres server = RealPostgres.builder().start();
  private final HikariDataSource pool = TestDatabase.poolOf(server.newDatabase("outage"));
  private JdbcRecordStore store = openStore();
  private Once once = Once.over(store);

  private JdbcRecordStore openStore() {
    pool.setConnectionTimeout(500);
    JdbcSchema.apply(pool);
    return JdbcRecordStore.over(pool);
  }

  @BeforeEach
  void reopen() {
    once.close();
    store = JdbcRecordStore.over(pool);
    once = Once.over(store);
  }

  @AfterEach
  void stop() {
    once.close();
    pool.close();
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
    assertThatThrownBy(
            () ->
                once.run(
                    charge,
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
                .withTerms(charge.terms().withMaxWait(Duration.ofSeconds(20)))
                .withReconciler(execution -> Verdict.happened("receipt")),
            execution -> charge());
    assertThat(asked.orThrow()).isEqualTo("receipt");
    assertThat(charges).hasValue(1);
  }

  @Test
  void recordsAnOutcomeWhoseConnectionDiedDuringTheEffect() {
    Result<@Nullable String> first =
        once.run(
            charge,
            execution -> {
              server.kill();
              server.restart();
              return charge();
            });

    assertThat(first).isInstanceOf(Result.Executed.class);
    assertThat(once.run(charge, execution -> charge())).isInstanceOf(Result.Replayed.class);
    assertThat(charges).hasValue(1);
  }

  private String charge() {
    return "receipt " + charges.incrementAndGet();
  }
}
