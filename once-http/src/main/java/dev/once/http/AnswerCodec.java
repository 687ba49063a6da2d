package dev.once.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.Codec;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.json.JsonRefusedException;
import dev.once.json.Redactor;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Optional;

/**
 * Encodes answers as they are, or without the data that must not be stored. Of JSON, sensitive
 * members are removed and phone numbers masked; of other text, phone numbers are masked. Other
 * media types are stored as they are.
 *
 * @param redaction what is removed from JSON answers
 */
record AnswerCodec(Optional<Redactor> redaction) implements Codec<HttpAnswer> {
  static final Codec<HttpAnswer> PLAIN = new AnswerCodec(Optional.empty());

  private static final int FIRST_ERROR = 400;

  static Codec<HttpAnswer> redacting(Redactor redactor) {
    return new AnswerCodec(Optional.of(redactor));
  }

  @Override
  public Outcome encode(HttpAnswer answer) {
    return new Outcome(
        answer.status() >= FIRST_ERROR, answer.status(), answer.headers(), stored(answer));
  }

  @Override
  public HttpAnswer decode(Outcome outcome) {
    return new HttpAnswer(outcome.status(), outcome.headers(), outcome.payload());
  }

  private Payload stored(HttpAnswer answer) {
    if (redaction.isEmpty() || answer.bytes().length == 0) {
      return answer.body();
    }
    String type = MediaType.of(answer.headers().first("Content-Type").orElse(""));
    if (MediaType.isJson(type)) {
      return redacted(answer, redaction.get());
    }
    return MediaType.isText(type) ? masked(answer.bytes()) : answer.body();
  }

  private static Payload redacted(HttpAnswer answer, Redactor redactor) {
    try {
      return Payload.of(redactor.json(answer.bytes()));
    } catch (JsonRefusedException e) {
      // The redactor cannot read this body, so it may contain secrets. Only the fact that the
      // operation happened is stored.
      return new Payload.Dropped(answer.bytes().length);
    }
  }

  /** Every byte is a character of ISO 8859-1, so what is not masked stays as it is. */
  private static Payload masked(byte[] text) {
    Charset charset = isUtf8(text) ? UTF_8 : ISO_8859_1;
    return Payload.of(Redactor.maskPhones(new String(text, charset)).getBytes(charset));
  }

  private static boolean isUtf8(byte[] text) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
