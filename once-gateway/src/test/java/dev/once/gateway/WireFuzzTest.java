package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests that were damaged at random, from seeds that repeat them. For longer runs: {@code
 * -Donce.fuzz.seconds=600}; from another seed on: {@code -Donce.fuzz.seed=4496}.
 */
@Timeout(3600)
class WireFuzzTest {
  private static final long SECONDS = Long.getLong("once.fuzz.seconds", 0);

  private static final int FIRST_SEED = Integer.getInteger("once.fuzz.seed", 0);

  /** What a build has time for. */
  private static final int CASES = 1000;

  private static final List<String> WRITES = List.of("POST", "PUT", "PATCH", "DELETE");
  private static final Pattern KEY =
      Pattern.compile(
          "^idempotency-key:[ \\t]*([^\r\n]*?)[ \\t]*$",
          Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

  private static final List<String> PIECES =
      List.of(
          "\r\n",
          "\n",
          "\r",
          "\0",
          " ",
          "\t",
          ":",
          ";",
          ",",
          "/",
          "?",
          "#",
          "%",
          "%00",
          "%2e%2e",
          "..",
          "\u00ff",
          "\u0080",
          "0",
          "-1",
          "ffffffff",
          "Content-Length: 5\r\n",
          "Content-Length: 0\r\n",
          "Transfer-Encoding: chunked\r\n",
          "Transfer-Encoding: identity\r\n",
          "Connection: keep-alive\r\n",
          "Connection: Idempotency-Key\r\n",
          "Connection: Content-Length\r\n",
          "Expect: 100-continue\r\n",
          "Upgrade: h2c\r\n",
          "Upgrade: websocket\r\nConnection: upgrade\r\n",
          "Idempotency-Key: other\r\n",
          "Once-Fence: 1\r\n",
          "Host: b\r\n",
          "Content-Type: multipart/form-data; boundary=b\r\n",
          "Content-Type: application/json\r\n",
          "Content-Type: application/x-www-form-urlencoded\r\n",
          "Content-Encoding: gzip\r\n",
          "X-HTTP-Method-Override: DELETE\r\n",
          "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
          "POST /inner HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
          "HTTP/1.0",
          "HTTP/2.0",
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
          "\r\n\r\n",
          "{",
          "}",
          "\"",
          "[[[[[[[[",
          "1e999999999",
          "\\ud800",
          "a".repeat(5000));

  @Test
  void answersEveryDamagedRequestInOrderAndGuardsAllThatPass() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        RunningGateway gateway =
            RunningGateway.of(
                "upstream: {url: '%s', timeout: 5s}\nmaxBody: 64KiB".formatted(service.url()),
                "idleTimeout: 2s, requestTimeout: 2s")) {
      long end = System.nanoTime() + SECONDS * 1_000_000_000;
      for (int seed = FIRST_SEED; seed < FIRST_SEED + CASES || System.nanoTime() < end; seed++) {
        String request = damaged(seed);
        String answer = RawClient.exchangeAll(gateway.port(), request);
        check(seed, request, answer);
      }

      assertThat(gateway.post("/healthy", "still-alive", "{}").body()).isEqualTo("done");
      assertThat(gateway.admin("/once/health")).contains("\"up\"");
      assertGuarded(service);
    }
  }

  private static void check(int seed, String request, String answer) {
    boolean isTunnel = answer.startsWith("HTTP/1.1 101");
    boolean isHttp2 = request.startsWith("PRI ");
    if (isTunnel || isHttp2) {
      return;
    }
    try {
      assertThat(RawAnswers.statuses(answer)).doesNotContain(500);
      assertThat(answer).doesNotContain("[still open]");
    } catch (AssertionError e) {
      throw new AssertionError("seed %d sent\n%s\nand got\n%s".formatted(seed, request, answer), e);
    }
  }

  /** A request that could be served, with a few damages. */
  private static String damaged(int seed) {
    Random random = new Random(seed);
    String body = random.nextBoolean() ? "{\"n\":%d}".formatted(seed) : "text " + seed;
    String framing =
        random.nextBoolean()
            ? "Content-Length: %d\r\n\r\n%s".formatted(body.length(), body)
            : "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
                .formatted(body.length(), body);
    StringBuilder request =
        new StringBuilder(
            "%s /orders/%d?a=b HTTP/1.1\r\nHost: a\r\nIdempotency-Key: k-%d\r\nContent-Type: %s\r\nConnection: close\r\n%s"
                .formatted(
                    WRITES.get(random.nextInt(WRITES.size())),
                    random.nextInt(3),
                    seed,
                    random.nextBoolean() ? "application/json" : "text/plain",
                    framing));
    for (int damages = random.nextInt(4); damages >= 0; damages--) {
      int at = random.nextInt(request.length());
      switch (random.nextInt(5)) {
        case 0 -> request.deleteCharAt(at);
        case 1 -> request.setCharAt(at, (char) random.nextInt(256));
        case 2 -> request.delete(at, Math.min(request.length(), at + random.nextInt(20)));
        case 3 -> request.append(request.substring(at));
        default -> request.insert(at, PIECES.get(random.nextInt(PIECES.size())));
      }
      if (request.isEmpty()) {
        request.append("GET");
      }
    }
    return request.toString();
  }

  /** Every write has the fence of its grant, and no key was sent twice for one method. */
  private static void assertGuarded(ScriptedService service) {
    Map<String, Integer> sent = new HashMap<>();
    int writes = 0;
    for (String request : service.requests()) {
      String method = request.substring(0, Math.max(0, request.indexOf(' ')));
      if (WRITES.contains(method.toUpperCase(Locale.ROOT))) {
        writes++;
        Matcher key = KEY.matcher(request.substring(0, request.indexOf("\r\n\r\n")));
        assertThat(key.find()).as("a key in\n%s", request).isTrue();
        assertThat(request).containsPattern("(?m)^Once-Fence: [1-9]\\d*$");
        assertThat(sent.merge(method + " " + key.group(1), 1, Integer::sum))
            .as("times that this was sent:\n%s", request)
            .isEqualTo(1);
      }
    }
    assertThat(writes).as("writes that got through").isGreaterThan(CASES / 20);
  }
}
