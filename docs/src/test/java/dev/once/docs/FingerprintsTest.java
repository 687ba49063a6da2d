package dev.once.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Fingerprint;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.json.CanonicalJson;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonRefusedException;
import dev.once.json.Redactor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/fingerprints.md. */
class FingerprintsTest {
  private final byte[] secret = "32 bytes from a safe place, at least".getBytes(UTF_8);
  private final byte[] oldSecret = "another 32 bytes from a safe place".getBytes(UTF_8);
  private final byte[] body = json("{'amount': 49.90, 'order': 42}");

  @Test
  void givesOneFingerprintToEverySpelling() {
    // snippet: json
    Fingerprinter fingerprinter = Fingerprinter.sha256();

    Fingerprint fingerprint = fingerprinter.json(body);
    // end
    assertThat(fingerprinter.json(json("{ 'order':42.0, 'amount':4.99e1 }")))
        .isEqualTo(fingerprint);
    assertThat(fingerprinter.json(json("{'amount': 49.91, 'order': 42}")))
        .isNotEqualTo(fingerprint);
    assertThat(fingerprint.algorithm()).isEqualTo("json1-sha256");
  }

  @Test
  void takesSeveralParts() {
    Fingerprinter fingerprinter = Fingerprinter.sha256();
    // snippet: parts
    Fingerprint fingerprint =
        fingerprinter.start().text("POST").text("/v1/orders").absent().json(body).finish();
    // end
    assertThat(fingerprint)
        .isNotEqualTo(
            fingerprinter.start().text("POST").text("/v1/orders").text("").json(body).finish());
  }

  @Test
  void leavesOutWhatChangesWithEveryRetry() {
    // snippet: volatile
    CanonicalJson rule =
        CanonicalJson.standard().withoutNamed("sent_at").withoutAt("/meta/attempt");
    Fingerprinter fingerprinter = Fingerprinter.builder().json(rule).build();
    // end
    assertThat(fingerprinter.json(json("{'sent_at':'10:00','meta':{'attempt':1},'order':42}")))
        .isEqualTo(fingerprinter.json(json("{'sent_at':'10:05','meta':{'attempt':2},'order':42}")))
        .isNotEqualTo(fingerprinter.json(json("{'meta':{},'attempt':1,'order':42}")));
  }

  @Test
  void tellsNumbersApartThatBinary64Rounds() {
    assertThat(canonical("[1, 1.0, 10e-1, 1E0]")).isEqualTo("[1,1,1,1]");
    assertThat(canonical("[9007199254740993]")).isEqualTo("[9007199254740993]");
    assertThat(canonical("[9007199254740992]")).isEqualTo("[9007199254740992]");
  }

  @Test
  void namesTheKeyInTheAlgorithm() {
    // snippet: hmac
    Fingerprinter fingerprinter = Fingerprinter.builder().key("2026-03", secret).build();
    // end
    assertThat(fingerprinter.algorithm()).isEqualTo("json1-hmac-sha256-2026-03");
  }

  @Test
  void answersRetriesOfRequestsThatCameBeforeARotation() {
    Fingerprinter previous = Fingerprinter.builder().key("2026-03", oldSecret).build();
    Fingerprinter current = Fingerprinter.builder().key("2026-04", secret).build();
    var request = Request.of(new Key("acme", "orders", "web-7f3a"), Codec.text());
    try (Once once = Once.over(new InMemoryRecordStore())) {
      once.run(request.withFingerprint(previous.json(body)), execution -> place());

      // snippet: rotation
      Result<@Nullable String> result =
          once.run(request.withFingerprint(current.json(body)), execution -> place());
      if (result instanceof Result.Mismatched) {
        result = once.run(request.withFingerprint(previous.json(body)), execution -> place());
      }
      // end
      assertThat(result).isInstanceOf(Result.Replayed.class);
    }
  }

  @Test
  void refusesWhatHasNoSingleMeaning() {
    assertThat(answerTo(json("{'a':1,'a':2}"))).isEqualTo("400 DUPLICATE_NAME at byte 7");
    assertThat(answerTo(json("1e400000000"))).isEqualTo("400 EXPONENT_TOO_LARGE at byte 0");
    assertThat(answerTo(body)).startsWith("json1-sha256:");
  }

  private static String answerTo(byte[] body) {
    // snippet: refused
    try {
      return Fingerprinter.sha256().json(body).toString();
    } catch (JsonRefusedException e) {
      return "400 " + e.reason() + " at byte " + e.offset();
    }
    // end
  }

  @Test
  void redactsBeforeAnythingIsStored() {
    byte[] received = json("{'customer':'Ada','phone':'+33 6 12 34 56 78','card_number':'4111'}");
    // snippet: redact
    Redactor redactor = Redactor.builder().sensitive("national_id").build();

    byte[] safe = redactor.json(received);
    String note = Redactor.maskPhones("call +33 6 12 34 56 78 after six");
    // end
    assertThat(new String(safe, UTF_8))
        .isEqualTo(
            "{\"customer\":\"Ada\",\"phone\":\"+** * ** ** ** 78\",\"card_number\":\"[redacted]\"}");
    assertThat(note).isEqualTo("call +** * ** ** ** 78 after six");
    assertThat(redactor.isSensitive("nationalId")).isTrue();
  }

  private static String place() {
    return "order 7";
  }

  private static String canonical(String json) {
    return new String(CanonicalJson.standard().bytes(json(json)), UTF_8);
  }

  private static byte[] json(String withSingleQuotes) {
    return withSingleQuotes.replace('\'', '"').getBytes(UTF_8);
  }
}
