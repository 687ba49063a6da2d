package dev.once.effects;

import static dev.once.effects.TestEvents.changed;
import static dev.once.effects.TestEvents.deleted;
import static dev.once.effects.TestEvents.noted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.effects.TestHttpServer.Fault;
import dev.once.effects.TestHttpServer.Held;
import dev.once.effects.TestHttpServer.Request;
import dev.once.effects.TestHttpServer.Response;
import dev.once.events.ConsumerEvent;
import dev.once.events.ConsumerListener;
import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventExecution;
import dev.once.events.EventRetryPolicy;
import dev.once.events.RetryLaterException;
import dev.once.events.Settlement;
import dev.once.events.UnprocessableEventException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of an API that keeps idempotency keys. */
@Timeout(60)
class HttpApiEffectTest {
  private static final EventExecution FIRST = new EventExecution(7, 1);
  private static final EventExecution SECOND = new EventExecution(8, 2);

  private final ApiServer server = new ApiServer();
  private final HttpApiEffect effect = builder().build(OrderRequests::map);

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void sendsTheEventIdAsItsKeyAndWhatTellsStaleRequests() throws Exception {
    effect.apply(changed("pump", 3), SECOND);

    Request request = server.requests().get(0);
    assertThat(request.method()).isEqualTo("PUT");
    assertThat(request.path()).isEqualTo("/v1/orders/pump");
    assertThat(request.body()).isEqualTo("{\"count\":3}");
    assertThat(request.headers())
        .containsEntry("idempotency-key", "pump-3")
        .containsEntry("content-type", "application/json")
        .containsEntry("once-sequence", "3")
        .containsEntry("once-fence", "8")
        .containsEntry("once-attempt", "2");
  }

  @Test
  void sendsTheKeyInTheFormThatWasChosen() throws Exception {
    HttpApiEffect quoted = builder().quotedKey().build(OrderRequests::map);
    HttpApiEffect other =
        builder().keyHeader("X-Key").header("Idempotency-Key", "k").build(OrderRequests::map);

    quoted.apply(changed("pump", 1), FIRST);
    other.apply(changed("pump", 2), FIRST);

    assertThat(server.requests().get(0).header("idempotency-key")).contains("\"pump-1\"");
    assertThat(server.requests().get(1).header("x-key")).contains("pump-2");
  }

  @Test
  void executesAnEventOnceIfItsAnswerIsLost() throws Exception {
    server.http().next(Fault.LOST_ANSWER);
    assertThatThrownBy(() -> effect.apply(changed("pump", 1), FIRST))
        .isInstanceOf(EffectException.class);
    assertThat(server.executions()).containsExactly("pump-1");

    effect.apply(changed("pump", 1), SECOND);

    assertThat(server.executions()).containsExactly("pump-1");
  }

  @Test
  void theRequestOfAnOwnerThatWasPausedChangesNothing() throws Exception {
    Held held = server.http().holdNext();
    CompletableFuture<Void> paused =
        CompletableFuture.runAsync(() -> apply(effect, changed("pump", 1), FIRST));
    held.awaitArrival();
    effect.apply(changed("pump", 2), FIRST); // The API has never seen the key of the first event.

    held.release();

    paused.get(60, TimeUnit.SECONDS);
    assertThat(server.order("pump")).contains("{\"count\":2}");
    assertThat(server.executions()).containsExactly("pump-2");
  }

  @Test
  void callsNothingForAnEventWithoutARequest() throws Exception {
    effect.apply(noted("pump", 1), FIRST);

    assertThat(server.requests()).isEmpty();
  }

  @Test
  void sendsNoContentTypeWithoutABody() throws Exception {
    effect.apply(deleted("pump", 1), FIRST);

    assertThat(server.requests().get(0).headers()).doesNotContainKey("content-type");
  }

  @Test
  void anAnswerThatMayChangeFailsTheAttempt() {
    for (int status : List.of(301, 302, 307, 401, 403, 408, 409, 425, 429, 500, 502, 503, 504)) {
      server.http().next(Fault.answer(new Response(status, Map.of("Location", "/other"), "")));

      assertThatThrownBy(() -> effect.apply(changed("pump", 1), FIRST))
          .as("%d", status)
          .isInstanceOf(EffectException.class)
          .hasMessageContaining(String.valueOf(status));
    }
    assertThat(server.requests()).as("requests that followed a redirect").isEmpty();
  }

  @Test
  void anAnswerThatIsTheLastWordMakesTheEventUnprocessable() {
    for (int status : List.of(400, 404, 405, 410, 413, 415, 422)) {
      server.http().next(Fault.status(status));

      assertThatThrownBy(() -> effect.apply(changed("pump", 1), FIRST))
          .as("%d", status)
          .isInstanceOf(UnprocessableEventException.class);
    }
  }

  @Test
  void retriesTheStatusesThatWereChosen() {
    HttpApiEffect patient = builder().retriedStatuses(Set.of(404)).build(OrderRequests::map);
    server.http().next(Fault.status(404));
    server.http().next(Fault.status(409));

    assertThatThrownBy(() -> patient.apply(changed("pump", 1), FIRST))
        .isInstanceOf(EffectException.class);
    assertThatThrownBy(() -> patient.apply(changed("pump", 1), FIRST))
        .isInstanceOf(UnprocessableEventException.class);
  }

  @Test
  void aFailureShowsWhenToRetryAndNothingElse() {
    Response busy = new Response(503, Map.of("Retry-After", "30"), "secret-answer");
    server.http().next(Fault.answer(busy));
    HttpApiEffect secret =
        builder().header("Authorization", "Bearer secret-token").build(OrderRequests::map);

    assertThatThrownBy(() -> secret.apply(changed("secret-order", 1), FIRST))
        .hasMessage(
            "PUT to %s was answered by 503, Retry-After: 30".formatted(server.http().address()));
  }

  @Test
  void theNextAttemptIsNotMadeBeforeTheTimeOfRetryAfter() throws Exception {
    server.http().next(Fault.answer(new Response(503, Map.of("Retry-After", "125"), "")));
    CompletableFuture<Duration> delay = new CompletableFuture<>();
    ConsumerListener listener =
        it -> {
          if (it instanceof ConsumerEvent.Failed failed) {
            delay.complete(failed.delay());
          }
        };
    try (EventConsumer consumer =
        EventConsumer.named("orders")
            .withoutRegistry()
            .retries(EventRetryPolicy.SKIP.withDelays(Duration.ofMillis(1), Duration.ofMillis(1)))
            .listener(listener)
            .start(effect)) {
      var unused = consumer.submit(changed("pump", 1));

      assertThat(delay.get(30, TimeUnit.SECONDS)).isEqualTo(Duration.ofSeconds(125));
    }
  }

  @Test
  void believesAnApiForTenMinutesOnly() {
    server.http().next(Fault.answer(new Response(429, Map.of("Retry-After", "86400"), "")));

    assertThatThrownBy(() -> effect.apply(changed("pump", 1), FIRST))
        .isInstanceOfSatisfying(
            RetryLaterException.class,
            it -> assertThat(it.delay()).isEqualTo(Duration.ofMinutes(10)));
  }

  @Test
  void acceptsALongAnswerWithoutReceivingAllOfIt() {
    String body = "x".repeat(10 * HttpApiEffect.MAX_RESPONSE_BYTES);
    server.http().next(Fault.answer(new Response(200, Map.of(), body)));

    assertThatCode(() -> effect.apply(changed("pump", 1), FIRST)).doesNotThrowAnyException();
  }

  @Test
  void waitsForAnAnswerThatStallsOnlyAsLongAsItMay() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      Thread stalling = new Thread(() -> answerInPart(socket));
      stalling.start();
      HttpApiEffect impatient =
          HttpApiEffect.builder(URI.create("http://127.0.0.1:" + socket.getLocalPort()))
              .timeout(Duration.ofMillis(300))
              .build(OrderRequests::map);

      assertThatThrownBy(() -> impatient.apply(changed("pump", 1), FIRST))
          .isInstanceOf(EffectException.class)
          .hasCauseInstanceOf(HttpTimeoutException.class);
      stalling.join(30_000);
      assertThat(stalling.isAlive()).as("the connection is still there").isFalse();
    }
  }

  /** Sends the headers of an answer and a part of its body, until the client ends. */
  private static void answerInPart(ServerSocket socket) {
    try (Socket accepted = socket.accept()) {
      String start = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx";
      accepted.getOutputStream().write(start.getBytes(StandardCharsets.US_ASCII));
      accepted.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anInterruptEndsTheCall() throws Exception {
    Held held = server.http().holdNext();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                effect.apply(changed("pump", 1), FIRST);
                thrown.complete(new AssertionError("it did not end by the interrupt"));
              } catch (Throwable e) {
                thrown.complete(e);
              }
            });
    thread.start();
    held.awaitArrival();

    thread.interrupt();

    assertThat(thrown.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    held.release();
    effect.apply(changed("pump", 1), SECOND);
    assertThat(server.executions()).containsExactly("pump-1");
  }

  @Test
  void aConsumerRetriesWhatMayChangeAndGivesUpWhatWillNot() throws Exception {
    server.http().next(Fault.status(503));
    server.http().next(Fault.LOST_ANSWER);
    EventRetryPolicy retries =
        EventRetryPolicy.SKIP.withDelays(Duration.ofMillis(1), Duration.ofMillis(1));
    try (EventConsumer consumer =
        EventConsumer.named("calls").withoutRegistry().retries(retries).start(effect)) {
      Settlement first = consumer.submit(changed("pump", 1)).get(60, TimeUnit.SECONDS);
      server.http().next(Fault.status(422));
      Settlement second = consumer.submit(changed("pump", 2)).get(60, TimeUnit.SECONDS);

      assertThat(first)
          .isInstanceOfSatisfying(
              Settlement.Handled.class, it -> assertThat(it.attempt()).isEqualTo(3));
      assertThat(second).isInstanceOf(Settlement.Skipped.class);
      assertThat(server.executions()).containsExactly("pump-1");
    }
  }

  @Test
  void noTwoEventsHaveTheSameKey() {
    String digest = EventKey.of("é");
    List<String> ids =
        List.of("é", "e", "E", "a,b", "a\"b", "a\\b", "a b", "a\nb", "x".repeat(129), digest, "");

    assertThat(ids.stream().map(EventKey::of).distinct()).hasSize(ids.size());
    assertThat(ids.stream().map(EventKey::of))
        .allMatch(it -> it.matches("[!-~&&[^\",\\\\]]{1,128}"));
    assertThat(EventKey.of("order-1/created@2")).isEqualTo("order-1/created@2");
  }

  @Test
  void refusesPathsThatLeadElsewhere() {
    for (String path :
        List.of("", "orders", "//host/orders", "/a b", "/ü", "/a%zz", "/a#b", "/\n")) {
      assertThatThrownBy(() -> ApiRequest.put(path, "{}"))
          .as(path)
          .isInstanceOf(IllegalArgumentException.class)
          .hasNoCause();
    }
    assertThat(ApiRequest.post("/orders?dry=1", "{}").withBody("text/plain", new byte[2]))
        .hasToString("POST with 2 bytes");
  }

  @Test
  void refusesSettingsThatLeakSecrets() {
    HttpClient following =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();

    assertThatThrownBy(() -> builder().http(following)).hasMessageContaining("redirects");
    assertThatThrownBy(() -> builder().header("Authorization", "Bearer secret\n"))
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> builder().header("a b", "c")).hasMessageContaining("a b");
    assertThatThrownBy(() -> builder().retriedStatuses(Set.of(200))).hasMessageContaining("200");
  }

  private HttpApiEffect.Builder builder() {
    return HttpApiEffect.builder(server.http().address());
  }

  private static void apply(HttpApiEffect effect, Event event, EventExecution execution) {
    try {
      effect.apply(event, execution);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
