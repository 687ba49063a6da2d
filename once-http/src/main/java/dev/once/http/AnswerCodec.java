package dev.once.http;

import dev.once.Codec;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.json.JsonRefusedException;
import dev.once.json.Redactor;
import java.util.Optional;

/**
 * Keeps answers as they are, or without what must not be stored.
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
      // Who cannot tell what is in it must not store it; that the operation happened is kept.
      return new Payload.Dropped(answer.bytes().length);
    }
  }

  private static boolean isJson(HttpAnswer answer) {
    return answer.bytes().length > 0
        && MediaType.isJson(MediaType.of(answer.headers().first("Content-Type").orElse("")));
  }
}
