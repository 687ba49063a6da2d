package dev.once.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.EffectRunner;
import dev.once.Execution;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Once;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Request;
import dev.once.Result;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Only a first write that succeeded and can no longer be undone fills the cache. */
class FillTest { // A16
  private static final DataSource DATABASE = EmbeddedPostgres.shared().newDatabase("fill");

  private final AtomicInteger runs = new AtomicInteger();
  private final JdbcRecordStore store = JdbcRecordStore.over(DATABASE);
  private final NearCache cache = NearCache.builder().build();
  private final Once once = Once.builder(store).cache(cache).build();
  private final Once other = Once.over(store);
  private final Request<@Nullable String> request = request();

  @BeforeAll
  static void applySchema() {
    JdbcSchema.apply(DATABASE);
  }

  @AfterEach
  void close() {
    once.close();
    other.close();
  }

  @Test
  void isFilledByTheFirstWrite() {
    once.run(request, this::charge);

    assertThat(cache.stats().entries()).isEqualTo(1);
    assertThat(once.recall(request).orElseThrow()).isInstanceOf(Result.Replayed.class);
  }

  @Test
  void isNotFilledByAReplay() {
    other.run(request, this::charge);

    assertThat(once.run(request, this::charge)).isInstanceOf(Result.Replayed.class);

    assertThat(cache.stats().entries()).isZero();
  }

  @Test
  void isNotFilledByAFailure() {
    Request<String> failing = Request.of(request.key(), new RefusingCodec());

    once.run(failing, execution -> "refused " + runs.incrementAndGet());
    Result<String> replay = once.run(failing, execution -> "refused " + runs.incrementAndGet());

    assertThat(replay.orThrow()).isEqualTo("refused 1");
    assertThat(cache.stats().entries()).isZero();
  }

  @Test
  void isNotEmptiedByAMismatch() {
    once.run(request, this::charge);

    Result<@Nullable String> other =
        once.run(request.withFingerprint(Fingerprint.sha256("other")), this::charge);

    assertThat(other).isInstanceOf(Result.Mismatched.class);
    assertThat(once.recall(request)).isPresent();
  }

  @Test
  void isFilledAfterTheCommitOfATransaction() throws Exception {
    List<Runnable> afterCommit = new ArrayList<>();
    try (Connection connection = begin()) {
      joining(connection, afterCommit).run(request, this::charge);
      assertThat(cache.stats().entries()).isZero();
      connection.commit();
    }
    afterCommit.forEach(Runnable::run);

    assertThat(once.recall(request)).isPresent();
  }

  @Test
  void isNotFilledByATransactionThatIsRolledBack() throws Exception {
    try (Connection connection = begin()) {
      joining(connection, new ArrayList<>()).run(request, this::charge);
      connection.rollback();
    }

    assertThat(once.recall(request)).isEmpty();
    assertThat(once.run(request, this::charge).orThrow()).isEqualTo("receipt 2");
  }

  @Test
  void isNotFilledByANestedEffectThatIsUndoneWithTheOneAroundIt() throws Exception {
    Request<@Nullable String> inner = request();
    List<Runnable> afterCommit = new ArrayList<>();
    try (Connection connection = begin()) {
      EffectRunner joined = joining(connection, afterCommit);
      assertThatThrownBy(
              () ->
                  joined.run(
                      request,
                      execution -> {
                        joined.run(inner, this::charge);
                        throw new IllegalStateException("after the inner effect");
                      }))
          .hasMessage("after the inner effect");
      connection.commit();
    }
    afterCommit.forEach(Runnable::run);

    assertThat(cache.stats().entries()).isZero();
    assertThat(once.run(inner, this::charge).orThrow()).isEqualTo("receipt 2");
  }

  @Test
  void isFilledByANestedEffectWithTheOneAroundIt() throws Exception {
    Request<@Nullable String> inner = request();
    List<Runnable> afterCommit = new ArrayList<>();
    try (Connection connection = begin()) {
      EffectRunner joined = joining(connection, afterCommit);
      joined.run(request, execution -> joined.run(inner, this::charge).orThrow());
      connection.commit();
    }
    afterCommit.forEach(Runnable::run);

    assertThat(once.recall(inner)).isPresent();
    assertThat(once.recall(request)).isPresent();
  }

  private static Request<@Nullable String> request() {
    return Request.of(new Key("acme", "fill", UUID.randomUUID().toString()), Codec.text());
  }

  private static Connection begin() throws Exception {
    Connection connection = DATABASE.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private EffectRunner joining(Connection connection, List<Runnable> afterCommit) {
    return once.joining(store.within(connection), afterCommit::add);
  }

  private String charge(Execution execution) {
    return "receipt " + runs.incrementAndGet();
  }

  /** Encodes every answer as a final refusal. */
  private static final class RefusingCodec implements Codec<String> {
    @Override
    public Outcome encode(String value) {
      return Outcome.failed(Payload.of(value.getBytes(UTF_8)));
    }

    @Override
    public String decode(Outcome outcome) {
      return new String(((Payload.Bytes) outcome.payload()).toArray(), UTF_8);
    }
  }
}
