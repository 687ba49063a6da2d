package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.spring.Api.Answer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The database stops and starts again. */
@Timeout(60)
class OutageTest {
  @ParameterizedTest
  @ValueSource(strings = {"transactional", "leased"})
  void executesNothingUntilTheDatabaseIsBack(String mode) {
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().start()) {
      PGSimpleDataSource database = App.withOrders(server.newDatabase("outage"));
      try (App app =
          App.start(
              Shop.class,
              database,
              "once.mode=" + mode,
              "spring.datasource.hikari.connection-timeout=1000")) {
        app.api().order("before", "umbrella");
        server.stop();
        Instant start = Instant.now();
        Answer during = app.api().order("during", "boots");
        Duration took = Duration.between(start, Instant.now());
        server.restart();
        Instant restart = Instant.now();
        Answer after;
        do { // The pool pauses between its attempts to connect. A claim without an answer is
          // withdrawn.
          after = app.api().order("during", "boots");
        } while (after.status() == 503 || after.status() == 409);

        assertThat(during.status()).isEqualTo(503);
        assertThat(during.body()).contains("\"code\":\"idempotency.store_unavailable\"");
        assertThat(during.header("Retry-After")).isEqualTo("1");
        assertThat(took).isLessThan(Duration.ofSeconds(10));
        assertThat(Duration.between(restart, Instant.now()))
            .as("the key is not held until its lease of 30 seconds ends")
            .isLessThan(Duration.ofSeconds(15));
        assertThat(after.status()).isEqualTo(201);
        assertThat(after.replayed()).isFalse();
        assertThat(app.api().order("before", "umbrella").replayed()).isTrue();
      }
    }
  }
}
