package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.http.Contract;
import jakarta.servlet.http.Cookie;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The first answer is replayed unchanged, except for headers that belong to one client. */
abstract class ReplayTests extends FilterTests {
  ReplayTests(FilterStage stage) {
    super(stage);
  }

  @Test
  void replaysTheFirstAnswerByteForByte() throws Exception {
    byte[] noise = new byte[100_000];
    new Random(7).nextBytes(noise);
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.setStatus(201);
          response.setContentType("application/octet-stream");
          response.setHeader("ETag", "\"7\"");
          response.addHeader("Link", "</a>; rel=a");
          response.addHeader("Link", "</b>; rel=b");
          response.getOutputStream().write(noise);
        });

    Reply first = post();

    assertThat(first.isReplay()).isFalse();
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.bytes()).isEqualTo(noise);
    assertThat(assertReplays(first).lastingHeaders()).isEqualTo(first.lastingHeaders());
    assertThat(runs).hasValue(1);
  }

  @Test
  void replaysAnAnswerWithoutABody() throws Exception {
    serve(Contract.STRICT, (request, response) -> response.setStatus(202));

    Reply first = post();

    assertThat(assertReplays(first).lastingHeaders()).isEqualTo(first.lastingHeaders());
    assertThat(first.header("Content-Length")).isEqualTo("0");
  }

  @Test
  void givesCookiesToTheFirstClientAlone() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.addCookie(new Cookie("session", "secret"));
          response.addHeader("Set-Cookie", "other=secret");
          response.addHeader("WWW-Authenticate", "Basic");
          response.addHeader("Authorization", "secret");
          response.addHeader("X-Private", "secret");
          response.getWriter().print("welcome");
        });

    Reply first = post();
    Reply second = assertReplays(first);

    assertThat(first.lastingHeaders()).containsKeys("Set-Cookie", "Authorization", "X-Private");
    assertThat(second.lastingHeaders())
        .doesNotContainKeys("Set-Cookie", "WWW-Authenticate", "Authorization", "X-Private");
    assertThat(store.outcomes().get(0).headers().toText()).doesNotContain("secret");
  }

  @Test
  void marksEveryAnswerUnderAContractThatSaysSo() throws Exception {
    serve(
        filter()
            .contract(
                Contract.STRICT.toBuilder()
                    .replayHeaders(Contract.ASYNC.replayHeaders())
                    .name("marked")
                    .build()),
        (request, response) -> response.getWriter().print("done"));

    assertThat(post().header("X-Idempotency-Status")).isEqualTo("MISS");
    assertThat(post().header("X-Idempotency-Status")).isEqualTo("HIT");
    assertThat(post().header("X-Idempotency-Key")).isEqualTo(key);
  }

  @Test
  void notifiesItsListenerOfEachAnswer() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    serve(
        filter()
            .listener(
                (operation, answered) ->
                    heard.add(answered.replayStatus() + " " + answered.answer().status())),
        (request, response) -> {
          if (runs.get() == 1) {
            throw new IllegalStateException("on purpose");
          }
          response.setStatus(201);
        });

    post();
    post();
    post();
    postTo(PATH, "[]");

    assertThat(heard).containsExactly("MISS 500", "MISS 201", "HIT 201", "CONFLICT 409");
  }

  @Test
  void keepsTheIdsThatARequestCameWith() throws Exception {
    serve(Contract.STRICT, (request, response) -> {});

    Reply first =
        send(keyed(PATH).header("X-Request-ID", "r-1").POST(BodyPublishers.ofString("{}")));
    Reply second =
        send(keyed(PATH).header("X-Request-ID", "r-2").POST(BodyPublishers.ofString("{}")));

    assertReplay(second, first);
    assertThat(second.header("X-Request-ID")).isEqualTo("r-1");
    assertThat(second.header("X-Replay-Request-ID")).isEqualTo("r-2");
  }

  @Test
  void comparesTheHeadersThatTheContractNames() throws Exception {
    serve(
        Contract.STRICT.toBuilder().comparedHeaders(Set.of("Prefer")).build(),
        (request, response) -> {});
    HttpRequest.Builder minimal =
        keyed(PATH).header("Prefer", "return=minimal").POST(BodyPublishers.ofString("{}"));

    Reply first = send(minimal);

    assertReplay(send(minimal), first);
    assertRefusal(post(), 409, "idempotency.payload_mismatch");
  }

  @Test
  void answersThatARequestWithMoreHeadersThanARecordHoldsTookEffect() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) ->
            IntStream.range(0, Headers.MAX_HEADERS)
                .forEach(i -> response.addHeader("Link", "</" + i + ">; rel=x")));

    assertThat(post().status()).isEqualTo(200);
    assertRefusal(post(), 409, "idempotency.answer_not_kept");
    assertThat(runs).hasValue(1);
  }
}
