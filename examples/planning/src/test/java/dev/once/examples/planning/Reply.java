package dev.once.examples.planning;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** An answer of the API. */
record Reply(int status, HttpHeaders headers, String body) {
  private static final JsonMapper JSON = JsonMapper.shared();

  static Reply of(HttpResponse<byte[]> response) {
    return new Reply(response.statusCode(), response.headers(), decode(response.body()));
  }

  /** Fails for invalid UTF-8, so that equal texts have equal bytes. */
  static String decode(byte[] body) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError("the body is not UTF-8: " + HexFormat.of().formatHex(body), e);
    }
  }

  /** Fails with the body unless the status is the given one. */
  Reply expect(int wanted) {
    assertThat(status).as(body).isEqualTo(wanted);
    return this;
  }

  /** Fails unless this is a problem with the given status and code. */
  Reply expectProblem(int wanted, String code) {
    expect(wanted);
    assertThat(header("Content-Type")).startsWith("application/problem+json");
    assertThat(text("code")).isEqualTo(code);
    assertThat(text("type")).isEqualTo("https://once.dev/problems/" + code);
    assertThat(json().get("status").asInt()).isEqualTo(wanted);
    assertThat(text("title")).isNotBlank();
    assertThat(text("detail")).isNotBlank();
    return this;
  }

  JsonNode json() {
    return body.isEmpty() ? MissingNode.getInstance() : JSON.readTree(body);
  }

  /** Returns the member's text; empty if there is none. */
  String text(String member) {
    return json().path(member).asString("");
  }

  String id() {
    return text("id");
  }

  /** Returns the header's first value; empty if there is none. */
  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  /** Returns the location of the created resource. */
  String location() {
    return header("Location");
  }
}
