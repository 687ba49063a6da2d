package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.StoreException;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims and completions that share a statement and a commit answer as if each came alone. */
class SharedTripTest {
  private static final TestDatabase DATABASE = new TestDatabase("trips");
  private static final Duration LEASE = Duration.ofMinutes(1);

  @BeforeEach
  void empty() {
    DATABASE.execute("TRUNCATE once_record");
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void grantsOneOfTwoClaimsOfOneKey() throws Exception {
    List<Supplier<Optional<Claim>>> answers = claim("a", "b", "b");

    assertThat(answers.get(0).get().orElseThrow()).isInstanceOf(Claim.Granted.class);
    assertThat(answers.get(1).get().orElseThrow()).isInstanceOf(Claim.Granted.class);
    assertThat(answers.get(2).get().orElseThrow()).isInstanceOf(Claim.Held.class);
  }

  @Test
  void replaysSomeAndGrantsOthers() throws Exception {
    Claim.Granted grant = (Claim.Granted) claim("b").get(0).get().orElseThrow();
    Outcome outcome = Outcome.completed(Payload.of("done".getBytes(StandardCharsets.UTF_8)));
    DATABASE.store().complete(grant, outcome, LEASE);

    List<Supplier<Optional<Claim>>> answers = claim("a", "b", "c");

    assertThat(answers.get(0).get().orElseThrow()).isInstanceOf(Claim.Granted.class);
    assertThat(answers.get(1).get()).contains(new Claim.Replay(outcome, Headers.NONE));
    assertThat(answers.get(2).get().orElseThrow()).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void keepsARecordOfANewerReleaseFromSpoilingTheTrip() throws Exception {
    claim("b");
    DATABASE.execute("UPDATE once_record SET format = 2");

    List<Supplier<Optional<Claim>>> answers = claim("a", "b");

    assertThat(answers.get(0).get().orElseThrow()).isInstanceOf(Claim.Granted.class);
    assertThatThrownBy(() -> answers.get(1).get())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("upgrade this node");
  }

  @Test
  void completesWhoOwnsItsKeyAndRefusesWhoDoesNot() throws Exception {
    Claim.Granted owner = (Claim.Granted) claim("a").get(0).get().orElseThrow();
    Claim.Granted late = (Claim.Granted) claim("b").get(0).get().orElseThrow();
    DATABASE.elapse(LEASE);
    claim("b");
    Outcome outcome = Outcome.completed(Payload.NONE);

    List<Supplier<Change>> answers;
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      answers =
          CompleteBatch.execute(
              connection,
              List.of(
                  new Completion(owner, outcome, LEASE),
                  new Completion(late, outcome, LEASE),
                  new Completion(owner, outcome, LEASE)));
    }

    assertThat(answers.stream().map(Supplier::get))
        .containsExactly(Change.MADE, Change.LOST, Change.DONE_BEFORE);
  }

  private static List<Supplier<Optional<Claim>>> claim(String... keys) throws SQLException {
    List<ClaimAsk> asks =
        List.of(keys).stream().map(key -> new ClaimAsk(request(key), false)).toList();
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      return ClaimBatch.execute(connection, asks);
    }
  }

  private static ClaimRequest request(String key) {
    return new ClaimRequest(
        new Key("acme", "orders", key),
        Fingerprint.NONE,
        LEASE,
        LEASE,
        Recovery.RERUN,
        20,
        Headers.NONE);
  }
}
