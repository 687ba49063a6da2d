package dev.once.http;

import static dev.once.http.TestCall.CREATE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.once.Headers;
import dev.once.Key;
import dev.once.NoAnswerException;
import dev.once.Request;
import dev.once.Result;
import dev.once.json.CanonicalJson;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpOnceTest {
  private final HttpOnce http = new HttpOnce(Contract.STRICT, Fingerprinter.sha256());

  @Test
  void callsTheEngineOnTheTermsOfTheContract() {
    Headers correlation = Headers.NONE.with("X-Request-ID", "r-1");

    Request<HttpAnswer> request =
        http.operation("k", CREATE.toHttp(), CREATE.route(), CREATE.caller(), correlation)
            .request();

    assertThat(request.key().tenant()).isEqualTo("acme");
    assertThat(request.key().value()).isEqualTo("k");
    assertThat(request.terms()).isEqualTo(Contract.STRICT.terms());
    assertThat(new OriginalRequest(request.correlation()).ids()).isEqualTo(correlation);
  }

  // A25, D12
  @Test
  void saysWhichRequestAReplayAnswersAgain() {
    Headers ids = Headers.NONE.with("X-Request-ID", "r-1");
    Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    HttpOperation first =
        http.operation("k", CREATE.toHttp(), CREATE.route(), CREATE.caller(), ids);
    HttpOperation retry =
        http.operation("k", CREATE.toHttp(), CREATE.route(), CREATE.caller(), Headers.NONE);

    HttpOperation.Answered replay =
        retry.answer(
            new Result.Replayed<>(
                retry.request().key(), TestApi.json(201, "{}"), first.request().correlation()));

    OriginalRequest original = replay.original().orElseThrow();
    assertThat(original.ids()).isEqualTo(ids);
    assertThat(original.receivedAt().orElseThrow()).isBetween(before, Instant.now());
    assertThat(retry.executed(TestApi.json(201, "{}")).original()).isEmpty();
  }

  @Test
  void replaysARecordWithoutATimeThatCanBeRead() {
    assertThat(new OriginalRequest(Headers.NONE).receivedAt()).isEmpty();
    assertThat(new OriginalRequest(Headers.NONE.with("Received-At", "noon")).receivedAt())
        .isEmpty();
  }

  // A8
  @Test
  void remembersStatusHeadersAndBodyOfAnAnswer() {
    HttpAnswer answer = TestApi.json(201, "{}").with("ETag", "\"1\"");

    assertThat(AnswerCodec.PLAIN.encode(answer).failed()).isFalse();
    assertThat(AnswerCodec.PLAIN.encode(TestApi.json(400, "{}")).failed()).isTrue();
    assertThat(AnswerCodec.PLAIN.encode(TestApi.json(399, "{}")).failed()).isFalse();
    assertThat(AnswerCodec.PLAIN.decode(AnswerCodec.PLAIN.encode(answer))).isEqualTo(answer);
  }

  @Test
  void saysThatABodyIsTooLargeToCompare() {
    CanonicalJson small = CanonicalJson.standard().within(JsonLimits.DEFAULTS.withMaxBytes(8));
    HttpOnce strict = new HttpOnce(Contract.STRICT, Fingerprinter.builder().json(small).build());

    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(
            () ->
                strict.operation(
                    "k", CREATE.toHttp(), CREATE.route(), CREATE.caller(), Headers.NONE))
        .satisfies(e -> assertThat(e.refusal()).isEqualTo(Refusal.BODY_TOO_LARGE));
  }

  // IK-24
  @Test
  void refusesABadKeyEvenWhereNoneIsNeeded() {
    HttpOnce planning = new HttpOnce(Contract.PLANNING, Fingerprinter.sha256());

    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> planning.key(CREATE.route(), List.of("")))
        .satisfies(e -> assertThat(e.refusal()).isEqualTo(Refusal.KEY_INVALID));
  }

  @Test
  void saysThatAnotherOperationIsRefusedAndNotTheKeyOfTheRequest() {
    Key inner = new Key("acme", "charge", "7");

    NoAnswerException refused =
        catchThrowableOfType(
            NoAnswerException.class, () -> new Result.Mismatched<>(inner).orThrow());
    HttpAnswer answer = http.refuse(refused);

    assertThat(new String(answer.bytes(), UTF_8))
        .contains("\"code\":\"idempotency.payload_mismatch\"")
        .contains("an operation that this request calls was first executed with other arguments")
        .doesNotContain("use a new one");
  }

  @Test
  void saysWhenARefusalIsOverButNeverAtOnce() {
    RefusedException refused = new RefusedException(Refusal.RATE_LIMITED, "send it later");

    assertThat(http.refuse(refused, Duration.ofMillis(1001)).headers().first("Retry-After"))
        .hasValue("2");
    assertThat(http.refuse(refused, Duration.ZERO).headers().first("Retry-After")).hasValue("1");
    assertThat(http.refuse(refused).headers().first("Retry-After")).isEmpty();
  }
}
