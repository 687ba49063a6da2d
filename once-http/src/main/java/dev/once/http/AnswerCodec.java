package dev.once.http;

import dev.once.Codec;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.json.JsonRefusedException;
import dev.once.json.Redactor;
import java.util.Optional;

/**
 * Encodes answers as they are, or without the members that must not be stored.
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
    if (redaction.isEmpty() || !isJson(answer)) {
      return answer.body();
    }
    try {
      return Payload.of(redaction.get().json(answer.bytes()));
    } catch (JsonRefusedException e) {
      // The redactor cannot read this body, so it may contain secrets. Only the fact that the
      // operation happened is stored.
      return new Payload.Dropped(answer.bytes().length);
    }
  }

  private static boolean isJson(HttpAnswer answer) {
    return answer.bytes().length > 0
        && MediaType.isJson(MediaType.of(answer.headers().first("Content-Type").orElse("")));
  }
}
