package dev.once.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.client.TestServer.Reply;
import dev.once.client.internal.HttpSender;
import dev.once.client.internal.RetryAfter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that servers rarely give. */
@Timeout(60)
class ClientRobustnessTest {
  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void anInterruptedWriteWithoutAKeyIsCheckedFirst() throws Exception {
    server.otherwise(Reply.of(201).after(2_000));
    Thread caller = Thread.currentThread();
    Thread interrupter =
        new Thread(
            () -> {
              while (server.received().isEmpty()) {
                Thread.onSpinWait();
              }
              caller.interrupt();
            });
    interrupter.start();

    OperationResult result = OnceHttpClient.of(RetryRules.plain()).send(order());

    Thread.interrupted();
    interrupter.join();
    assertThat(result)
        .isInstanceOfSatisfying(
            OperationResult.Unknown.class,
            it -> assertThat(it.advice()).isEqualTo(Advice.CHECK_FIRST));
  }

  @Test
  void aStatusLinkThatIsNoAddressLeavesTheOutcomeUnknown() {
    server.otherwise(Reply.of(202).header("Location", "/status of it"));

    assertThat(OnceHttpClient.of(RetryRules.async()).send(order()))
        .isInstanceOf(OperationResult.Unknown.class);
  }

  @Test
  void theDeadlineHoldsForASlowStatusLink() {
    server
        .replies(Reply.of(202).header("Location", "/status"))
        .otherwise(Reply.of(200).body("{\"status\":\"in_progress\"}").after(Long.MAX_VALUE));
    RetryRules rules = RetryRules.async().toBuilder().inFlightPause(Duration.ofMillis(10)).build();

    // The link never answers and an attempt has much more time: only the deadline can end this
    // call. That
    // it does not start again with each request is seen by their number, on a slow machine as well.
    OperationResult result =
        OnceHttpClient.builder(rules)
            .attemptTimeout(HttpSender.MAX_TIMEOUT)
            .deadline(Duration.ofSeconds(1))
            .build()
            .send(order());

    assertThat(result).isInstanceOf(OperationResult.Unknown.class);
    assertThat(server.received()).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void followsAStatusLinkWithinTheMostAttempts() {
    server.otherwise(Reply.of(202).header("Location", "/status"));
    RetryRules rules = RetryRules.async().toBuilder().inFlightPause(Duration.ofMillis(1)).build();

    OperationResult result =
        OnceHttpClient.builder(rules).deadline(Duration.ofSeconds(2)).build().send(order());

    assertThat(result.attempts()).hasSizeLessThanOrEqualTo(rules.maxAttempts());
  }

  @Test
  void rulesKeepFollowingStatusLinksUnderAnotherName() {
    RetryRules mine = RetryRules.async().toBuilder().name("mine").build();

    assertThat(mine.decide("POST", answered(202, Map.of("Location", List.of("/status")))))
        .isInstanceOf(Decision.Follow.class);
  }

  @Test
  void aKeyIsEscapedInAStructuredString() {
    assertThat(RetryRules.ietf().headers("a\"b\\c")).containsValue("\"a\\\"b\\\\c\"");
  }

  @Test
  void credentialsAreNotInAnException() {
    OnceHttpClient client =
        OnceHttpClient.builder(RetryRules.strict())
            .credentials(() -> Map.of("Authorization", "Bearer s3cret\n"))
            .build();

    try {
      client.send(order());
    } catch (RuntimeException e) {
      assertThat(e.toString()).doesNotContain("s3cret");
    }
  }

  @Test
  void aRateLimitWithoutRemainingQuotaIsMalformed() {
    assertThat(wait(Map.of("RateLimit", List.of("\"default\";t=30")))).isEmpty();
  }

  @Test
  void aRateLimitWithQuotaLeftAsksForNoPause() {
    assertThat(wait(Map.of("RateLimit", List.of("\"default\";r=50;t=30")))).isEmpty();
  }

  @Test
  void anEnormousNumberOfSecondsIsCappedAndNotIgnored() {
    assertThat(wait(Map.of("Retry-After", List.of("99999999999999999999"))))
        .contains(Duration.ofMinutes(10));
  }

  @Test
  void aDateIsMeasuredByTheClockOfTheServer() {
    // The device is an hour ahead of the server, which asks for a minute.
    assertThat(
            RetryAfter.of(
                new Answer(
                        503,
                        Map.of(
                            "Date", List.of("Sun, 06 Nov 1994 08:49:37 GMT"),
                            "Retry-After", List.of("Sun, 06 Nov 1994 08:50:37 GMT")),
                        new byte[0],
                        true)
                    .headers(),
                Instant.parse("1994-11-06T09:49:37Z")))
        .contains(Duration.ofMinutes(1));
  }

  @Test
  void anEffectWhoseAnswerIsUnreadableIsCheckedFirst() {
    server.otherwise(Reply.code(500, "IDEMPOTENCY_OUTCOME_UNREADABLE"));

    assertThat(OnceHttpClient.of(RetryRules.mobile()).send(order()))
        .isInstanceOfSatisfying(
            OperationResult.Unknown.class,
            it -> assertThat(it.advice()).isEqualTo(Advice.CHECK_FIRST));
  }

  @Test
  void anEffectWhoseAnswerWasNotKeptIsNotRefused() {
    server.otherwise(Reply.of(409).body("{\"code\":\"idempotency.answer_not_kept\"}"));

    assertThat(OnceHttpClient.of(RetryRules.strict()).send(order()))
        .isNotInstanceOf(OperationResult.Refused.class);
  }

  @Test
  void aVersionMismatchOfTheContractMobileAsksToRefetch() {
    server.otherwise(Reply.code(409, "CONCURRENCY_VERSION_MISMATCH"));

    assertThat(OnceHttpClient.of(RetryRules.mobile()).send(order()))
        .isInstanceOfSatisfying(
            OperationResult.Refused.class, it -> assertThat(it.advice()).isEqualTo(Advice.REFETCH));
  }

  private static Optional<Duration> wait(Map<String, List<String>> headers) {
    return RetryAfter.of(new Answer(503, headers, new byte[0], true).headers(), Instant.now());
  }

  private static AttemptOutcome answered(int status, Map<String, List<String>> headers) {
    return AttemptOutcome.answered(new Answer(status, headers, new byte[0], true));
  }

  private Operation order() {
    return Operation.post(server.url("/orders")).json("{\"item\":\"boots\"}").build();
  }
}
