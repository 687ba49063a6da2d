package dev.once.client;

import dev.once.json.CanonicalJson;
import dev.once.json.JsonRefusedException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a server answered. */
public final class Answer {
  /** How much of a body is received. */
  public static final int MAX_BODY_BYTES = 8 << 20;

  /** Where the error bodies of the contracts have their code. */
  private static final List<String> CODES = List.of("/code", "/error/code", "/error/type");

  private final int status;
  private final HttpHeaders headers;
  private final byte[] body;
  private final boolean isComplete;
  private final Optional<String> code;

  /**
   * Creates an answer.
   *
   * @param isComplete false if the body is longer than {@link #MAX_BODY_BYTES} and was cut
   */
  public Answer(int status, Map<String, List<String>> headers, byte[] body, boolean isComplete) {
    this(
        status,
        HttpHeaders.of(headers, (name, value) -> !name.startsWith(":")),
        body.clone(),
        isComplete);
  }

  /** Creates an answer from parts that are not changed. */
  Answer(int status, HttpHeaders headers, byte[] body, boolean isComplete) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.isComplete = isComplete;
    this.code =
        status < 400
            ? Optional.empty()
            : CODES.stream().flatMap(it -> member(it).stream()).findFirst();
  }

  public int status() {
    return status;
  }

  public HttpHeaders headers() {
    return headers;
  }

  public Optional<String> header(String name) {
    return headers.firstValue(name);
  }

  public byte[] body() {
    return body.clone();
  }

  /** Returns the body itself, which must not be changed. */
  byte[] bytes() {
    return body;
  }

  /** Returns the body as text in UTF-8. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** Returns whether the whole body was received. */
  public boolean isComplete() {
    return isComplete;
  }

  /** Returns the code of an error body of JSON, such as {@code idempotency.in_flight}. */
  public Optional<String> code() {
    return code;
  }

  /** Returns a text in a body of JSON. */
  Optional<String> member(String pointer) {
    if (body.length == 0 || !isComplete) {
      return Optional.empty();
    }
    try {
      return CanonicalJson.standard().valueAt(pointer, body).flatMap(Answer::text);
    } catch (JsonRefusedException e) {
      return Optional.empty(); // Not JSON.
    }
  }

  private static Optional<String> text(byte[] json) {
    String text = new String(json, StandardCharsets.UTF_8);
    return text.startsWith("\"") && text.indexOf('\\') < 0
        ? Optional.of(text.substring(1, text.length() - 1))
        : Optional.empty();
  }

  /** Returns the status alone: headers and body may have personal data. */
  @Override
  public String toString() {
    return String.valueOf(status);
  }
}
