package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.json.Redactor;
import org.junit.jupiter.api.Test;

// E8
class AnswerCodecTest {
  private static final String PERSON =
      "{\"name\":\"Ada\",\"phone\":\"+4915112345678\",\"token\":\"s3cret\"}";

  @Test
  void keepsAnAnswerAsItIsByDefault() {
    assertThat(body(AnswerCodec.PLAIN.encode(answer("application/json", PERSON))))
        .isEqualTo(PERSON);
  }

  @Test
  void keepsNeitherSecretsNorPhoneNumbersWhenItRedacts() {
    Outcome outcome = redacted("application/json", PERSON);

    assertThat(body(outcome))
        .contains("Ada")
        .doesNotContain("15112345678")
        .doesNotContain("s3cret");
    assertThat(outcome.status()).isEqualTo(201);
  }

  @Test
  void leavesOtherMediaTypesAlone() {
    assertThat(body(redacted("application/octet-stream", PERSON))).isEqualTo(PERSON);
  }

  @Test
  void masksPhoneNumbersInOtherText() {
    assertThat(body(redacted("text/plain; charset=utf-8", "Zoë: +4915112345678")))
        .isEqualTo("Zoë: +***********78");
    assertThat(body(redacted("application/xml", "<to>+4915112345678</to>")))
        .isEqualTo("<to>+***********78</to>");
  }

  @Test
  void changesNoByteOfTextThatIsNotUtf8() {
    byte[] text = {(byte) 0xe9, ' ', '4', '2'};
    HttpAnswer answer = HttpAnswer.of(200, Headers.NONE.with("Content-Type", "text/plain"), text);

    Outcome outcome = AnswerCodec.redacting(Redactor.standard()).encode(answer);

    assertThat(outcome.payload()).isEqualTo(Payload.of(text));
  }

  @Test
  void keepsNothingOfJsonThatCannotBeRead() {
    assertThat(redacted("application/json", "{\"token\":").payload())
        .isEqualTo(new Payload.Dropped(9));
  }

  private static Outcome redacted(String type, String body) {
    return AnswerCodec.redacting(Redactor.standard()).encode(answer(type, body));
  }

  private static HttpAnswer answer(String type, String body) {
    return HttpAnswer.of(201, Headers.NONE.with("Content-Type", type), body.getBytes(UTF_8));
  }

  private static String body(Outcome outcome) {
    return new String(((Payload.Bytes) outcome.payload()).toArray(), UTF_8);
  }
}
