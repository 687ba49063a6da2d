package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every retry gets the same answer, and no other call gets it. */
abstract class ReplayTests extends EngineTests {
  private static final Fingerprint ONE_EURO = Fingerprint.sha256("EUR", "1");
  private static final Fingerprint TWO_EUROS = Fingerprint.sha256("EUR", "2");

  ReplayTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void executesOnceAndReplaysTheSameBytes() {
    byte[] answer = new byte[10_000];
    new Random(42).nextBytes(answer);
    Request<byte @Nullable []> request = Request.of(key, Codec.bytes());

    Result<byte @Nullable []> first = once.run(request, execution -> answer);
    Result<byte @Nullable []> second = once.run(request, execution -> new byte[] {1});

    assertThat(first).isInstanceOf(Result.Executed.class);
    assertThat(second).isInstanceOf(Result.Replayed.class);
    assertThat(second.orThrow()).isEqualTo(answer);
  }

  @Test
  void replaysNull() {
    once.run(request, execution -> null);

    assertThat(once.run(request, MUST_NOT_RUN)).isEqualTo(replayed(null));
  }

  @Test
  void replaysTheEmptyText() {
    once.run(request, execution -> "");

    assertThat(once.run(request, MUST_NOT_RUN)).isEqualTo(replayed(""));
  }

  @Test
  void replaysZeroBytes() {
    Request<byte @Nullable []> request = Request.of(key, Codec.bytes());
    once.run(request, execution -> new byte[0]);

    Result<byte @Nullable []> replay = once.run(request, execution -> new byte[] {1});

    assertThat(replay.orThrow()).isNotNull().isEmpty();
  }

  @Test
  void replaysNothing() {
    Request<@Nullable Void> request = Request.of(key, Codec.nothing());
    once.run(request, execution -> null);

    Result<@Nullable Void> replay = once.run(request, execution -> null);

    assertThat(replay).isEqualTo(new Result.Replayed<>(key, null, Headers.NONE));
  }

  @Test
  void replaysTheCorrelationIdsOfTheFirstCall() {
    Headers first = Headers.NONE.with("trace-id", "first").with("actor", "J\u00fcrgen");
    Headers second = Headers.NONE.with("trace-id", "second");
    once.run(request.withCorrelation(first), this::charge);

    Result<@Nullable String> replay = once.run(request.withCorrelation(second), this::charge);

    assertThat(replay).isEqualTo(new Result.Replayed<>(key, "receipt 1", first));
  }

  @Test
  void givesTooLargeAnAnswerToTheFirstCallerOnly() {
    Request<@Nullable String> small =
        request.withTerms(Terms.DEFAULT.withMaxPayloadBytes("receipt".length()));

    Result<@Nullable String> first = once.run(small, this::charge);
    Result<@Nullable String> second = once.run(small, this::charge);

    assertThat(first).isEqualTo(new Result.Executed<>(key, "receipt 1"));
    assertThat(second).isEqualTo(new Result.Dropped<>(key, "receipt 1".length()));
    assertThat(runs).hasValue(1);
  }

  @Test
  void executesAgainAfterTheRetention() {
    Terms terms = Terms.DEFAULT.withRetention(Duration.ofHours(2), Duration.ofHours(1));
    once.run(request.withTerms(terms), this::charge);

    elapse(Duration.ofHours(1));
    assertThat(once.run(request, this::charge)).isEqualTo(replayed("receipt 1"));

    elapse(Duration.ofHours(1));
    assertThat(once.run(request, this::charge)).isEqualTo(new Result.Executed<>(key, "receipt 2"));
  }

  @Test
  void keepsTenantsApart() {
    Key other = new Key("globex", key.scope(), key.value());
    once.run(request, this::charge);

    Result<@Nullable String> result = once.run(Request.of(other, Codec.text()), this::charge);

    assertThat(result).isEqualTo(new Result.Executed<>(other, "receipt 2"));
  }

  @Test
  void refusesAnotherRequestInsteadOfReplaying() {
    once.run(request.withFingerprint(ONE_EURO), this::charge);

    assertThat(once.run(request.withFingerprint(TWO_EUROS), MUST_NOT_RUN))
        .isEqualTo(new Result.Mismatched<>(key));
  }

  @Test
  void refusesAnotherRequestWhileTheKeyIsHeld() {
    ownElsewhere(request.withFingerprint(ONE_EURO));

    assertThat(once.run(request.withFingerprint(TWO_EUROS), MUST_NOT_RUN))
        .isEqualTo(new Result.Mismatched<>(key));
  }

  @Test
  void refusesAnotherRequestInsteadOfTakingOver() {
    vanishElsewhere(request.withFingerprint(ONE_EURO));

    assertThat(once.run(request.withFingerprint(TWO_EUROS), MUST_NOT_RUN))
        .isEqualTo(new Result.Mismatched<>(key));
    assertThat(once.run(request.withFingerprint(ONE_EURO), this::charge))
        .isEqualTo(new Result.Executed<>(key, "receipt 1"));
  }

  private Result<@Nullable String> replayed(@Nullable String value) {
    return new Result.Replayed<>(key, value, Headers.NONE);
  }
}
