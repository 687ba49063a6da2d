package dev.once.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets in, and what other sites can do through a user's browser. */
class RequestGuardTest {
  private static final String BODY =
      "{\"tenant\":\"acme\",\"scope\":\"s\",\"key\":\"k\",\"reason\":\"r\"}";
  private static final Map<String, String> GOOD =
      Map.of("Content-Type", "application/json", "X-Once-Console", "1");

  private static ConsoleFixture console;
  private static ConsoleServer local;

  @BeforeAll
  static void start() throws Exception {
    console = new ConsoleFixture("console_guard");
    local =
        new ConsoleServer(
            new ConsoleServlet(
                console.console(), ConsoleUsers.onLoopback(ConsoleUser.operator("local"))));
  }

  @AfterAll
  static void stop() throws Exception {
    local.close();
    console.close();
  }

  @Test
  void answersNothingWithoutAValidToken() throws Exception {
    for (String token : new String[] {"", "wrong-token-0000001"}) {
      HttpResponse<String> reply = console.as(token).send("GET", "api/records", "", Map.of());

      assertThat(reply.statusCode()).isEqualTo(401);
      assertThat(reply.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"once\"");
      assertThat(reply.body()).doesNotContain("records");
    }
  }

  @Test
  void servesThePageToEverybodyUnderAStrictPolicy() throws Exception {
    for (String name : PageFile.names()) {
      HttpResponse<String> file = console.as("").send("GET", name, "", Map.of());

      assertThat(file.statusCode()).as(name).isEqualTo(200);
      assertThat(file.headers().firstValue("Content-Security-Policy"))
          .hasValueSatisfying(
              it ->
                  assertThat(it)
                      .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                      .doesNotContain("unsafe", "http:", "https:", "*"));
      assertThat(file.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(file.body())
          .as("no inline script or style, no foreign address in " + name)
          .doesNotContain("innerHTML", "style=\"", "onclick=\"", "https://");
    }
  }

  @Test
  void revalidatesFilesByTheirTag() throws Exception {
    HttpResponse<String> first = console.as("").send("GET", "app.js", "", Map.of());
    String tag = first.headers().firstValue("ETag").orElseThrow();

    assertThat(console.as("").send("GET", "app.js", "", Map.of("If-None-Match", tag)).statusCode())
        .isEqualTo(304);
  }

  @ParameterizedTest
  @ValueSource(strings = {"files.txt", "%2e%2e/Console.class", "../Console.class", "api", "x"})
  void servesNoOtherFile(String path) throws Exception {
    assertThat(console.as("").send("GET", path, "", Map.of()).statusCode()).isBetween(400, 404);
  }

  @Test
  void neverStoresAnswersOfTheApi() throws Exception {
    assertThat(
            console
                .as(ConsoleFixture.VIEWER)
                .send("GET", "api/me", "", Map.of())
                .headers()
                .firstValue("Cache-Control"))
        .contains("no-store");
  }

  @ParameterizedTest
  @CsvSource({
    "X-Once-Console, '', 403",
    "Content-Type, text/plain, 415",
    "Content-Type, application/x-www-form-urlencoded, 415",
    "Origin, https://evil.example, 403",
    "Origin, null, 403",
    "Sec-Fetch-Site, cross-site, 403",
    "Sec-Fetch-Site, same-site, 403",
  })
  void refusesActionsThatAnotherSiteCanSend(String name, String value, int status)
      throws Exception {
    Map<String, String> headers = new HashMap<>(GOOD);
    if (value.isEmpty()) {
      headers.remove(name);
    } else {
      headers.put(name, value);
    }

    assertThat(act(console.as(ConsoleFixture.OPERATOR), headers)).isEqualTo(status);
    assertThat(console.audit).isEmpty();
  }

  @Test
  void takesActionsOfItsOwnPage() throws Exception {
    Map<String, String> headers = new HashMap<>(GOOD);
    headers.put("Origin", console.server.address().replace("/once/", ""));

    assertThat(act(console.as(ConsoleFixture.OPERATOR), headers))
        .as("no such record")
        .isEqualTo(404);
    headers.put("Sec-Fetch-Site", "same-origin");
    assertThat(act(console.as(ConsoleFixture.OPERATOR), headers)).isEqualTo(404);
    console.audit.clear();
  }

  @Test
  void anActionIsNotARead() throws Exception {
    ConsoleClient operator = console.as(ConsoleFixture.OPERATOR);

    assertThat(operator.get("actions/expire-record").status()).isEqualTo(405);
    assertThat(operator.send("PUT", "api/records", BODY, GOOD).statusCode()).isEqualTo(405);
    assertThat(operator.send("DELETE", "api/records", "", GOOD).statusCode()).isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"tenant\":",
        "{\"tenant\":\"a\",\"tenant\":\"b\"}",
        "{\"a\":[[[[[[1]]]]]]}"
      })
  void refusesBodiesThatAreNotOneObject(String body) throws Exception {
    assertThat(
            console
                .as(ConsoleFixture.OPERATOR)
                .send("POST", "api/actions/expire-record", body, GOOD)
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void refusesACharacterThatNoDatabaseStores() throws Exception {
    ConsoleClient operator = console.as(ConsoleFixture.OPERATOR);

    for (String path :
        new String[] {"records?tenant=%00", "jobs?tenant=a&queue=%00", "webhooks?tenant=a%00"}) {
      assertThat(operator.get(path).status()).as(path).isEqualTo(400);
    }
  }

  @Test
  void refusesALargeBody() throws Exception {
    String body = "{\"reason\":\"" + "x".repeat(300_000) + "\"}";

    assertThat(
            console
                .as(ConsoleFixture.OPERATOR)
                .send("POST", "api/actions/expire-record", body, GOOD)
                .statusCode())
        .isEqualTo(413);
  }

  @Test
  void withoutACredentialItIsOpenToItsOwnMachineAlone() throws Exception {
    ConsoleClient here = new ConsoleClient(local.address(), "");

    assertThat(here.get("me").status()).isEqualTo(200);
    for (String header : new String[] {"X-Forwarded-For", "Forwarded", "Via"}) {
      assertThat(here.send("GET", "", "", Map.of(header, "10.0.0.1")).statusCode())
          .as("through a proxy that sets " + header)
          .isEqualTo(403);
    }
  }

  /** Another name may be one that a foreign page let point to this machine. */
  @Test
  void withoutACredentialItAnswersToItsOwnNameAlone() throws Exception {
    assertThat(statusFor("localhost")).isEqualTo("HTTP/1.1 200 ");
    assertThat(statusFor("evil.example")).isEqualTo("HTTP/1.1 403 ");
  }

  private static String statusFor(String host) throws IOException {
    int port = URI.create(local.address()).getPort();
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              "GET /once/api/me HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\n\r\n"
                  .formatted(host, port)
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .findFirst()
          .orElseThrow();
    }
  }

  private static int act(ConsoleClient client, Map<String, String> headers) throws Exception {
    return client.send("POST", "api/actions/expire-record", BODY, headers).statusCode();
  }
}
