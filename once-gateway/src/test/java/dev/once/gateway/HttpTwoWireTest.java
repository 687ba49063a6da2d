package dev.once.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP/2 can carry what HTTP/1.1 cannot: none of it may become another request behind us. */
@Timeout(60)
class HttpTwoWireTest {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  private static ScriptedService service;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() {
    service = new ScriptedService((request, to) -> to.ok("done"));
    gateway = RunningGateway.before(service.url());
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  @Test
  void sendsAnHonestRequest() throws IOException {
    exchange("ab", headers("POST", "/honest", "idempotency-key", "h-1"));
    exchange("ab", headers("POST", "/honest", "idempotency-key", "h-1"));

    assertThat(service.requests("POST /honest HTTP/1.1")).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a line end in a value      | POST | /v | x               | a~~POST /smuggle HTTP/1.1~Host: a~~
          a bare line feed           | POST | /v | x               | a^Smuggle: yes
          a line end in a name       | POST | /v | x: a~smuggle    | b
          a colon in a name          | POST | /v | x: smuggle      | b
          an upper-case name         | POST | /v | Smuggle         | b
          a space in a path          | POST | /smuggle HTTP/1.1~x: | x | b
          a line end in a path       | POST | /v~~POST /smuggle    | x | b
          a line end in a method     | POST /smuggle HTTP/1.1~Host: a~~GET | /v | x | b
          a coding                   | POST | /smuggle | transfer-encoding | chunked
          a connection header        | POST | /smuggle | connection        | x-a
          a wrong length             | POST | /smuggle | content-length    | 9
          two lengths                | POST | /smuggle | content-length    | 2, 9
          a second path              | POST | /v       | :path             | /smuggle
          an unknown pseudo-header   | POST | /smuggle | :smuggle          | b
          """)
  void passesNothingThatWouldBeAnotherRequest(
      String name, String method, String path, String header, String value) throws IOException {
    service.requests().clear();
    List<String> headers = headers(raw(method), raw(path), "idempotency-key", "s-" + name.length());
    headers.addAll(List.of(raw(header), raw(value)));

    exchange("ab", headers);

    assertThat(service.requests())
        .as(name)
        .noneMatch(it -> it.toLowerCase(java.util.Locale.ROOT).contains("smuggle"));
    exchange("", headers("GET", "/alive", "x", name));
    assertThat(service.requests())
        .filteredOn(it -> it.startsWith("GET /alive") && it.contains(name))
        .hasSize(1);
  }

  private static String raw(String text) {
    return text.replace("~", "\r\n").replace("^", "\n");
  }

  private static List<String> headers(String method, String path, String name, String value) {
    return new ArrayList<>(
        List.of(
            ":method", method, ":scheme", "http", ":authority", "a", ":path", path, name, value));
  }

  /** Sends one request, which is the last on its connection, and waits until that is closed. */
  private static String exchange(String body, List<String> headers) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
    frame(out, SETTINGS, 0, 0, new byte[0]);
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < headers.size(); i++) {
      literal(block, headers.get(i), i);
    }
    int flags = body.isEmpty() ? END_HEADERS | END_STREAM : END_HEADERS;
    frame(out, HEADERS, flags, 1, block.toByteArray());
    if (!body.isEmpty()) {
      frame(out, DATA, END_STREAM, 1, body.getBytes(ISO_8859_1));
    }
    frame(out, GOAWAY, 0, 0, new byte[8]);
    return RawClient.exchange(gateway.port(), out.toString(ISO_8859_1));
  }

  /** Writes a name or a value; a name begins a field that is not indexed (RFC 7541, 6.2.2). */
  private static void literal(ByteArrayOutputStream block, String text, int index) {
    if (index % 2 == 0) {
      block.write(0);
    }
    byte[] bytes = text.getBytes(ISO_8859_1);
    if (bytes.length > 126) {
      throw new AssertionError("too long for one byte of length: " + text);
    }
    block.write(bytes.length);
    block.writeBytes(bytes);
  }

  private static void frame(
      ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
    out.write(payload.length >> 16);
    out.write(payload.length >> 8);
    out.write(payload.length);
    out.write(type);
    out.write(flags);
    out.writeBytes(new byte[] {0, 0, 0, (byte) stream});
    out.writeBytes(payload);
  }
}
