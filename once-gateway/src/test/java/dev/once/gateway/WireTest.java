package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is on the wire: requests that two servers could read differently never get through. */
@Timeout(60)
class WireTest {
  private static ScriptedService service;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() {
    service = new ScriptedService((request, to) -> to.ok("done"));
    gateway = RunningGateway.of("upstream: {url: '%s'}\nmaxBody: 1KiB".formatted(service.url()));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          length and chunks     | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 6~Transfer-Encoding: chunked~~0~~G
          chunks and length     | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~Content-Length: 6~~0~~G
          two lengths           | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 1~Content-Length: 2~~ab
          a list of lengths     | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 1, 2~~ab
          equal lengths twice   | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 2~Content-Length: 2~~ab
          a signed length       | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: +2~~ab
          a negative length     | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: -2~~ab
          a folded header       | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~X-A: b~ Content-Length: 9~Content-Length: 2~~ab
          a space before colon  | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length : 2~~ab
          an unknown coding     | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: xchunked~~0~~
          chunked twice         | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked, chunked~~0~~
          chunked, then another | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked, identity~~0~~
          a bad chunk size      | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~~0x5~hello~0~~
          a negative chunk      | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~~-1~hello~0~~
          a length, then a list | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 2, 2~~ab
          a length in hex       | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 0x2~~ab
          a length beyond long  | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 18446744073709551618~~ab
          no length at all      | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length:~~ab
          two codings           | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~Transfer-Encoding: identity~~0~~
          a coding twice        | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~Transfer-Encoding: chunked~~0~~
          a coding in quotes    | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: "chunked"~~0~~
          a coding and a folded | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding:~ chunked~~0~~
          a space before coding | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding : chunked~~0~~
          a tab in a name       | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding	: chunked~~0~~
          a folded first header | POST /smuggle HTTP/1.1~ Transfer-Encoding: chunked~Host: a~Idempotency-Key: s~Content-Length: 2~~ab
          another coding        | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: gzip, chunked~~0~~
          no coding             | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding:~~0~~
          HTTP/1.0 with chunks  | POST /smuggle HTTP/1.0~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~~0~~
          a chunk beyond int    | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~~100000002~ab~0~~
          a chunk beyond long   | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~~10000000000000002~ab~0~~
          a chunk too long      | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~~2~abX~0~~
          a chunk with a space  | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~~ 2~ab~0~~
          no chunk size         | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~~;a=b~ab~0~~
          no last chunk         | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Transfer-Encoding: chunked~~2~ab~
          another expectation   | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Expect: 200-ok~Content-Length: 2~~ab
          a method in lowercase | post /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 2~~ab
          two hosts             | POST /smuggle HTTP/1.1~Host: a~Host: b~Idempotency-Key: s~Content-Length: 2~~ab
          no host               | POST /smuggle HTTP/1.1~Idempotency-Key: s~Content-Length: 2~~ab
          another authority     | POST http://b/smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 2~~ab
          HTTP/0.9              | POST /smuggle
          an unknown version    | POST /smuggle HTTP/1.9~Host: a~Idempotency-Key: s~Content-Length: 2~~ab
          a name with a space   | POST /smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content Length: 2~~ab
          an encoded slash      | POST /a%2F..%2Fsmuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 2~~ab
          a read, encoded slash | GET /a%2F..%2Fsmuggle HTTP/1.1~Host: a~~
          a read, length twice  | GET /smuggle HTTP/1.1~Host: a~Content-Length: 1~Content-Length: 2~~ab
          a read, both lengths  | GET /smuggle HTTP/1.1~Host: a~Content-Length: 6~Transfer-Encoding: chunked~~0~~G
          an empty segment      | POST //smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 2~~ab
          a parameter with dots | POST /a/..;/smuggle HTTP/1.1~Host: a~Idempotency-Key: s~Content-Length: 2~~ab
          """)
  void refusesWhatTwoServersCouldReadDifferently(String name, String request) throws IOException {
    service.requests().clear();
    String answer = RawClient.exchangeAll(gateway.port(), RawClient.lines(request + "~~"));

    assertThat(answer).as(name).matches("(?s)(HTTP/1.1 (400|411|413|417|501|505).*)?(\\[reset])?");
    assertThat(service.requests()).noneMatch(it -> it.contains("smuggle"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /bare HTTP/1.1\nHost: a\nIdempotency-Key: b\nContent-Length: 2\n\nab",
        "POST /bare HTTP/1.1\r\nHost: a\nIdempotency-Key: b\r\nContent-Length: 2\r\n\r\nab",
        "POST /bare HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\nab\n0\n\n",
        "POST /bare HTTP/1.1\r\nHost: a\r\nIdempotency-Key: b\rX: y\r\nContent-Length: 2\r\n\r\nab",
        "POST /bare HTTP/1.1\r\nHost: a\r\nIdempotency-Key: b\u0000\r\nContent-Length: 2\r\n\r\nab"
      })
  void refusesLinesThatEndInAnotherWay(String request) throws IOException {
    assertThat(RawClient.exchange(gateway.port(), request)).startsWith("HTTP/1.1 400");
    assertThat(service.requests()).noneMatch(it -> it.contains("/bare"));
  }

  @Test
  void sendsOneRequestForABodyWithChunkExtensions() throws IOException {
    String answer =
        RawClient.exchange(
            gateway.port(),
            RawClient.lines(
                "POST /extension HTTP/1.1~Host: a~Idempotency-Key: x~Connection: close~"
                    + "Transfer-Encoding: chunked~~2;a=b~ab~0~~"));

    assertThat(answer).startsWith("HTTP/1.1 200");
    assertThat(service.requests("POST /extension")).isEqualTo(1);
    assertThat(service.requests())
        .filteredOn(it -> it.startsWith("POST /extension"))
        .allMatch(it -> it.contains("ab") && !it.contains("=b"));
  }

  @Test
  void passesNoTrailers() throws IOException {
    String answer =
        RawClient.exchange(
            gateway.port(),
            RawClient.lines(
                "POST /trailers HTTP/1.1~Host: a~Idempotency-Key: t~Connection: close~"
                    + "Transfer-Encoding: chunked~~2~ab~0~Idempotency-Key: forged~"
                    + "Once-Tenant: forged~Content-Length: 9~~"));

    assertThat(answer).matches("(?s)HTTP/1.1 (200|400).*");
    assertThat(service.requests("POST /trailers")).isLessThanOrEqualTo(1);
    assertThat(service.requests()).noneMatch(it -> it.contains("forged"));
  }

  @Test
  void answersAnExpectationItself() throws IOException {
    String answer =
        RawClient.exchange(
            gateway.port(),
            RawClient.lines(
                "POST /expect HTTP/1.1~Host: a~Idempotency-Key: e~Connection: close~"
                    + "Expect: 100-continue~Content-Length: 2~~ab"));

    assertThat(answer).contains("HTTP/1.1 200");
    assertThat(service.requests())
        .filteredOn(it -> it.startsWith("POST /expect"))
        .singleElement()
        .asString()
        .doesNotContainIgnoringCase("expect:");
  }

  @Test
  void refusesALargeBodyBeforeItIsSent() throws IOException {
    String answer =
        RawClient.exchange(
            gateway.port(),
            RawClient.lines(
                "POST /large HTTP/1.1~Host: a~Idempotency-Key: e~"
                    + "Expect: 100-continue~Content-Length: 2000~~"));

    assertThat(answer).startsWith("HTTP/1.1 413");
  }

  @Test
  void passesNoFramingThatIsSpelledWithUnderscores() throws IOException {
    String answer =
        RawClient.exchange(
            gateway.port(),
            RawClient.lines(
                "POST /underscores HTTP/1.1~Host: a~Idempotency-Key: u~Connection: close~"
                    + "Transfer_Encoding: chunked~Content_Length: 9~Content-Length: 2~~ab"));

    assertThat(answer).startsWith("HTTP/1.1 200");
    assertThat(service.requests())
        .filteredOn(it -> it.startsWith("POST /underscores"))
        .singleElement()
        .asString()
        .doesNotContain("_");
  }

  @Test
  void passesTheKeyOfAClientThatWantsItRemoved() throws IOException {
    String answer =
        RawClient.exchange(
            gateway.port(),
            RawClient.lines(
                "POST /hop HTTP/1.1~Host: a~Idempotency-Key: hop-1~"
                    + "Connection: close, Idempotency-Key, Once-Fence~Content-Length: 2~~ab"));

    assertThat(answer).startsWith("HTTP/1.1 200");
    assertThat(service.requests())
        .filteredOn(it -> it.startsWith("POST /hop"))
        .singleElement()
        .asString()
        .contains("Idempotency-Key: hop-1\r\n", "Once-Fence: ");
  }

  @Test
  void sendsABodyThatLooksLikeARequestAsABody() throws IOException {
    String inner = "POST /inner HTTP/1.1\r\nHost: a\r\nIdempotency-Key: i\r\n\r\n";

    String answer =
        RawClient.exchange(
            gateway.port(),
            "GET /outer HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: "
                + inner.length()
                + "\r\n\r\n"
                + inner);

    assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
    assertThat(service.requests("POST /inner")).isZero();
  }

  @Test
  void guardsEachOfSeveralRequestsInOnePacket() throws IOException {
    String one = "POST /pipe HTTP/1.1\r\nHost: a\r\nIdempotency-Key: 1\r\nContent-Length: 2\r\n";

    String answers =
        RawClient.exchange(
            gateway.port(), (one + "\r\nab").repeat(3) + one + "Connection: close\r\n\r\nab");

    assertThat(answers.split("HTTP/1.1 200", -1)).hasSize(5);
    assertThat(answers.split("Idempotency-Replayed: true", -1)).hasSize(4);
    assertThat(service.requests("POST /pipe")).isEqualTo(1);
  }

  @Test
  void refusesABodyOverTheLimitWithoutSendingAnyOfIt() throws Exception {
    HttpResponse<String> announced = gateway.post("/large", "l-1", "x".repeat(1025));
    HttpResponse<String> chunked =
        RunningGateway.send(
            gateway
                .request("/large", "Idempotency-Key", "l-2")
                .POST(
                    BodyPublishers.ofInputStream(
                        () -> new java.io.ByteArrayInputStream(new byte[5000])))
                .build());

    assertThat(announced.statusCode()).isEqualTo(413);
    assertThat(chunked.statusCode()).isEqualTo(413);
    assertThat(service.requests("POST /large")).isZero();
  }

  @Test
  void refusesAHeadOverTheLimit() throws IOException {
    String answer =
        RawClient.exchange(
            gateway.port(),
            "GET /head HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(20_000) + "\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 431");
    assertThat(service.requests("GET /head")).isZero();
  }

  @Test
  void refusesAnAddressThatNoClientMaySend() throws IOException {
    String answer =
        RawClient.exchange(
            gateway.port(), "GET /a?b={c}|d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

    assertThat(answer).contains("400").doesNotContain("500");
  }

  @Test
  void cutsOffAClientThatSendsItsHeadTooSlowly() throws Exception {
    try (RunningGateway strict =
        RunningGateway.of(
            "upstream: {url: '%s'}".formatted(service.url()), "requestTimeout: 300ms")) {
      assertThat(RawClient.exchange(strict.port(), "GET / HTTP/1.1\r\nHo"))
          .doesNotContain("[still open]");
    }
  }
}
