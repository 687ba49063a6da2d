package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
import dev.once.spi.RecordStore;
import dev.once.testkit.ConcurrentCalls;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Claims and completions that share a statement and a commit are answered as if each was sent
 * alone.
 */
class RecordBatchTest {
  private static final TestDatabase DATABASE = new TestDatabase("record_batches");
  private static final Packing PLAIN = Packing.of(Sealing.NONE);
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
    List<Supplier<BatchedAnswer>> answers = claim("a", "b", "b");

    assertThat(claimIn(answers.get(0))).isInstanceOf(Claim.Granted.class);
    assertThat(claimIn(answers.get(1))).isInstanceOf(Claim.Granted.class);
    assertThat(claimIn(answers.get(2))).isInstanceOf(Claim.Held.class);
  }

  @Test
  void replaysSomeAndGrantsOthers() throws Exception {
    Claim.Granted grant = grantOf("b");
    Outcome outcome = Outcome.completed(Payload.of("done".getBytes(StandardCharsets.UTF_8)));
    DATABASE.store().complete(grant, outcome, LEASE);

    List<Supplier<BatchedAnswer>> answers = claim("a", "b", "c");

    assertThat(claimIn(answers.get(0))).isInstanceOf(Claim.Granted.class);
    assertThat(claimIn(answers.get(1))).isEqualTo(new Claim.Replay(outcome, Headers.NONE));
    assertThat(claimIn(answers.get(2))).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void keepsARecordOfANewerReleaseFromFailingTheBatch() throws Exception {
    claim("b");
    DATABASE.execute("UPDATE once_record SET format = 2");

    List<Supplier<BatchedAnswer>> answers = claim("a", "b");

    assertThat(claimIn(answers.get(0))).isInstanceOf(Claim.Granted.class);
    assertThatThrownBy(() -> answers.get(1).get())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("upgrade this node");
  }

  @Test
  void completesOwnersAndRefusesOthers() throws Exception {
    Claim.Granted owner = grantOf("a");
    Claim.Granted late = grantOf("b");
    DATABASE.elapse(LEASE);
    claim("b");
    Outcome outcome = Outcome.completed(Payload.NONE);

    List<Supplier<BatchedAnswer>> answers =
        send(
            List.of(
                completion(owner, outcome), completion(late, outcome), completion(owner, outcome)));

    assertThat(answers.stream().map(Supplier::get))
        .containsExactly(
            new BatchedAnswer.Completed(ChangeResult.MADE),
            new BatchedAnswer.Completed(ChangeResult.LOST),
            new BatchedAnswer.Completed(ChangeResult.DONE_BEFORE));
  }

  @Test
  void completesALargeOutcomeByAStatementOfItsOwn() throws Exception {
    byte[] large = new byte[JdbcRecordStore.MAX_BATCHED_BYTES + 1024];
    new Random(1).nextBytes(large); // Which does not compress.
    List<Callable<Boolean>> calls = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Claim.Granted grant = grantOf("key " + i);
      calls.add(
          () -> {
            DATABASE.store().complete(grant, Outcome.completed(Payload.of(large)), LEASE);
            return true;
          });
    }

    assertThat(ConcurrentCalls.together(calls)).containsOnly(true);
    assertThat(DATABASE.query("SELECT count(DISTINCT xmin::text) FROM once_record"))
        .containsExactly("16");
  }

  @Test
  void failsOnlyTheCallThatTheDatabaseRefuses() throws Exception {
    DATABASE.execute(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE 'no' USING ERRCODE = 'check_violation'; END $$");
    DATABASE.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON once_record FOR EACH ROW"
            + " WHEN (NEW.key = 'poison') EXECUTE FUNCTION refuse()");
    List<Callable<Boolean>> claims = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String key = i % 16 == 0 ? "poison" : "key " + i;
      claims.add(() -> isGranted(DATABASE.store(), key));
    }

    List<Boolean> granted = ConcurrentCalls.together(claims);
    DATABASE.execute("DROP FUNCTION refuse CASCADE");

    assertThat(granted.stream().filter(it -> !it)).hasSize(4);
  }

  @Test
  void neverWaitsInACircleWithAnotherNode() throws Exception {
    List<Callable<Boolean>> nodes = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      RecordStore node = i % 2 == 0 ? DATABASE.store() : DATABASE.otherStore();
      int turn = i;
      nodes.add(() -> claimAll(node, turn));
    }

    assertThat(ConcurrentCalls.together(nodes)).containsOnly(true);
    assertThat(
            DATABASE.query(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
        .containsExactly("0");
  }

  /** Half of them go through the keys from the other end. */
  private static boolean claimAll(RecordStore node, int turn) {
    for (int i = 0; i < 100; i++) {
      int place = turn % 4 < 2 ? i : 99 - i;
      if (node.claim(request("key " + place)) instanceof Claim.Granted grant) {
        node.complete(grant, Outcome.completed(Payload.NONE), LEASE);
      }
    }
    return true;
  }

  private static boolean isGranted(RecordStore store, String key) {
    try {
      return store.claim(request(key)) instanceof Claim.Granted;
    } catch (StoreException e) {
      return false;
    }
  }

  private static List<Supplier<BatchedAnswer>> claim(String... keys) throws SQLException {
    return send(
        List.of(keys).stream().<BatchedCall>map(key -> new ClaimCall(request(key))).toList());
  }

  private static List<Supplier<BatchedAnswer>> send(List<BatchedCall> calls) throws SQLException {
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      return new RecordBatch(calls, PLAIN).send(connection, new DuplicateRate());
    }
  }

  private static Claim claimIn(Supplier<BatchedAnswer> answer) {
    assertThat(answer.get()).isInstanceOf(BatchedAnswer.Claimed.class);
    return ((BatchedAnswer.Claimed) answer.get()).claim();
  }

  private static Claim.Granted grantOf(String key) throws SQLException {
    return (Claim.Granted) claimIn(claim(key).get(0));
  }

  private static CompletionCall completion(Claim.Granted grant, Outcome outcome) {
    return CompletionCall.of(grant, outcome, LEASE, PLAIN);
  }

  private static ClaimRequest request(String key) {
    return ClaimRequest.of(new Key("acme", "orders", key), LEASE, LEASE);
  }
}
