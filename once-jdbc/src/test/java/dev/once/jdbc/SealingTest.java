package dev.once.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.once.Codec;
import dev.once.EngineEvent;
import dev.once.Headers;
import dev.once.Key;
import dev.once.KeyRing;
import dev.once.Once;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Request;
import dev.once.Result;
import dev.once.Sealing;
import dev.once.UnreadableOutcomeException;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
import dev.once.spi.RecordStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Outcomes that are encrypted in the table. */
class SealingTest {
  private static final TestDatabase DATABASE = new TestDatabase("sealing");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final KeyRing FIRST = KeyRing.of("first", secret(1));
  private static final KeyRing SECOND = KeyRing.of("second", secret(2));
  private static final KeyRing BOTH = SECOND.and("first", secret(1));
  private static final JdbcRecordStore SEALED = storeWith(Sealing.with(FIRST));
  private static final Outcome OUTCOME =
      new Outcome(false, 201, Headers.NONE.with("ETag", "\"7\""), text("iban DE89"));

  private final List<EngineEvent> events = new ArrayList<>();
  private final Request<@Nullable String> charge =
      Request.of(new Key("acme", "charges", UUID.randomUUID().toString()), Codec.text());

  @BeforeEach
  void empty() {
    DATABASE.execute("TRUNCATE once_record");
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void leavesNothingOfAnOutcomeInTheClear() {
    SEALED.complete(claim(SEALED, "a"), OUTCOME, HOUR);

    assertThat(DATABASE.query("SELECT body_form || headers || body_bytes FROM once_record"))
        .containsExactly("sealed9");
    assertThat(DATABASE.query("SELECT encode(body, 'escape') FROM once_record").get(0))
        .contains("first")
        .doesNotContain("iban")
        .doesNotContain("ETag");
  }

  @Test
  void replaysInATransactionWhatWasSealedOutsideAndTheOtherWayRound() throws Exception {
    SEALED.complete(claim(SEALED, "a"), OUTCOME, HOUR);

    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      RecordStore within = SEALED.within(connection);
      within.complete(claim(within, "b"), OUTCOME, HOUR);
      assertThat(within.claim(request("a"))).isEqualTo(replay());
      connection.commit();
      assertThat(SEALED.dedicated(connection).claim(request("a"))).isEqualTo(replay());
      connection.commit();
    }

    assertThat(SEALED.claim(request("b"))).isEqualTo(replay());
    assertThat(SEALED.find(request("b").key()).orElseThrow().outcome()).contains(OUTCOME);
  }

  @Test
  void readsWhatWasKeptBeforeSealingWasTurnedOn() {
    DATABASE.store().complete(claim(DATABASE.store(), "a"), OUTCOME, HOUR);

    assertThat(SEALED.claim(request("a"))).isEqualTo(replay());
  }

  @Test
  void executesNothingAgainWhenANodeStartsWithoutTheOldKey() {
    AtomicInteger effects = new AtomicInteger();
    run(Sealing.with(FIRST), effects);
    String before = record();

    for (Sealing lacking : List.of(Sealing.with(SECOND), Sealing.NONE)) {
      assertThatExceptionOfType(UnreadableOutcomeException.class)
          .isThrownBy(() -> run(lacking, effects))
          .withMessageContaining("it is sealed with key id first: add that key to the ring");
    }

    assertThat(record()).isEqualTo(before);
    assertThat(events)
        .filteredOn(EngineEvent.Unreadable.class::isInstance)
        .extracting(it -> ((EngineEvent.Unreadable) it).keyId())
        .containsExactly(Optional.of("first"), Optional.of("first"));
    assertThat(run(Sealing.with(BOTH), effects)).isInstanceOf(Result.Replayed.class);
    assertThat(effects).hasValue(1);
  }

  @Test
  void executesNothingAgainWhenARecordIsDamaged() {
    AtomicInteger effects = new AtomicInteger();
    run(Sealing.with(FIRST), effects);
    DATABASE.execute("UPDATE once_record SET body = set_byte(body, 30, 255 - get_byte(body, 30))");

    assertThatExceptionOfType(UnreadableOutcomeException.class)
        .isThrownBy(() -> run(Sealing.with(FIRST), effects));
    DATABASE.execute("UPDATE once_record SET body_form = 'deflate'");
    assertThatExceptionOfType(UnreadableOutcomeException.class)
        .isThrownBy(() -> run(Sealing.with(FIRST), effects));

    assertThat(effects).hasValue(1);
  }

  @Test
  void leavesACallersTransactionUsableAfterARecordThatCannotBeRead() throws Exception {
    SEALED.complete(claim(SEALED, "a"), OUTCOME, HOUR);

    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      RecordStore within = DATABASE.store().within(connection);
      assertThatExceptionOfType(UnreadableOutcomeException.class)
          .isThrownBy(() -> within.claim(request("a")));
      within.complete(claim(within, "b"), OUTCOME, HOUR);
      connection.commit();
    }

    assertThat(DATABASE.store().claim(request("b"))).isEqualTo(replay());
  }

  @Test
  void failsNoOtherCallOfABatchWithARecordThatCannotBeRead() throws Exception {
    SEALED.complete(claim(SEALED, "a"), OUTCOME, HOUR);
    List<BatchedCall> claims = List.of(new ClaimCall(request("a")), new ClaimCall(request("b")));

    List<Supplier<BatchedAnswer>> answers;
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      RecordBatch batch = new RecordBatch(claims, Packing.of(Sealing.NONE));
      answers = batch.send(connection, new DuplicateRate());
    }

    assertThatExceptionOfType(UnreadableOutcomeException.class)
        .isThrownBy(() -> answers.get(0).get());
    assertThat(answers.get(1).get()).isInstanceOf(BatchedAnswer.Claimed.class);
  }

  @Test
  void rotatesKeysWhileWritersRun() throws Exception {
    AtomicReference<KeyRing> ring = new AtomicReference<>(FIRST);
    JdbcRecordStore store = storeWith(Sealing.with(ring::get));
    ExecutorService writers = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Object>> writes =
          IntStream.range(0, 200)
              .mapToObj(
                  i ->
                      Executors.callable(
                          () -> {
                            if (i == 100) {
                              ring.set(BOTH);
                            }
                            store.complete(claim(store, "k" + i), OUTCOME, HOUR);
                          }))
              .toList();
      for (Future<Object> written : writers.invokeAll(writes)) {
        written.get();
      }
    } finally {
      writers.shutdownNow();
    }

    for (int i = 0; i < 200; i++) {
      assertThat(store.claim(request("k" + i))).isEqualTo(replay());
    }
    assertThat(DATABASE.query("SELECT DISTINCT substr(body, 3, 5) FROM once_record")).hasSize(2);
  }

  private Result<@Nullable String> run(Sealing sealing, AtomicInteger effects) {
    try (Once once = Once.over(storeWith(sealing), events::add)) {
      return once.run(charge, execution -> "charge " + effects.incrementAndGet());
    }
  }

  private static String record() {
    return DATABASE.query("SELECT once_record::text FROM once_record").get(0);
  }

  private static JdbcRecordStore storeWith(Sealing sealing) {
    return JdbcRecordStore.over(DATABASE.dataSource(), sealing);
  }

  private static Claim.Granted claim(RecordStore store, String key) {
    return (Claim.Granted) store.claim(request(key));
  }

  private static ClaimRequest request(String key) {
    return ClaimRequest.of(new Key("acme", "orders", key), HOUR, HOUR);
  }

  private static Claim replay() {
    return new Claim.Replay(OUTCOME, Headers.NONE);
  }

  private static Payload text(String text) {
    return Payload.of(text.getBytes(UTF_8));
  }

  private static byte[] secret(int value) {
    byte[] key = new byte[KeyRing.KEY_BYTES];
    Arrays.fill(key, (byte) value);
    return key;
  }
}
