package dev.once.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.once.Fingerprint;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class FingerprinterTest {
  private static final byte[] SECRET = "a secret of at least 32 bytes ok".getBytes(UTF_8);
  private static final Fingerprinter PLAIN = Fingerprinter.sha256();
  private static final Fingerprinter KEYED = Fingerprinter.builder().key(SECRET).build();

  @Test
  void givesEverySpellingOfADocumentOneFingerprint() {
    assertThat(PLAIN.json(utf8("{\"b\":1.0,\"a\":\"\\u0041\"}")))
        .isEqualTo(PLAIN.json(utf8(" { \"a\" : \"A\", \"b\" : 10e-1 } ")))
        .isNotEqualTo(PLAIN.json(utf8("{\"b\":\"1\",\"a\":\"A\"}")));
  }

  @Test
  void digestsTagLengthAndCanonicalText() throws GeneralSecurityException {
    byte[] digested = utf8("J\0\0\0\7{\"a\":1}");

    assertThat(PLAIN.json(utf8("{ \"a\": 1.0 }")))
        .isEqualTo(
            Fingerprint.of("json1-sha256", MessageDigest.getInstance("SHA-256").digest(digested)));
  }

  @Test
  void digestsTheSameBytesWithAKey() throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));

    assertThat(KEYED.json(utf8("{\"a\":1}")))
        .isEqualTo(Fingerprint.of("json1-hmac-sha256", mac.doFinal(utf8("J\0\0\0\7{\"a\":1}"))));
  }

  @Test
  void namesTheAlgorithmAndTheKey() {
    Fingerprinter rotated = Fingerprinter.builder().key("k2", SECRET).build();

    assertThat(PLAIN.algorithm()).isEqualTo("json1-sha256");
    assertThat(Fingerprinter.leavesOutTimes(PLAIN.json(utf8("1")))).isFalse();
    Fingerprinter withoutTimes =
        Fingerprinter.builder().json(CanonicalJson.standard().withoutTimesNamed("sentAt")).build();
    assertThat(withoutTimes.algorithm()).isEqualTo("jsont-sha256");
    assertThat(Fingerprinter.leavesOutTimes(withoutTimes.json(utf8("1")))).isTrue();
    assertThat(KEYED.algorithm()).isEqualTo("json1-hmac-sha256");
    assertThat(rotated.json(utf8("1")).algorithm()).isEqualTo("json1-hmac-sha256-k2");
    assertThat(Fingerprinter.builder().key("a-key-id-of-14", SECRET).build().algorithm())
        .hasSize(32);
  }

  @Test
  void keepsItsKeyWhenTheCallerClearsTheirs() {
    byte[] secret = SECRET.clone();
    Fingerprinter keyed = Fingerprinter.builder().key(secret).build();
    Arrays.fill(secret, (byte) 0);

    assertThat(keyed.json(utf8("1"))).isEqualTo(KEYED.json(utf8("1")));
  }

  @Test
  void refusesAShortKeyOrAnOddKeyId() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fingerprinter.builder().key(new byte[31]))
        .withMessage("key must have at least 32 bytes, got 31");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fingerprinter.builder().key("K2", SECRET))
        .withMessage("key id must have 1 to 14 characters of a-z0-9-, got K2");
  }

  @Test
  void distinguishesEverySequenceOfParts() {
    byte[] one = utf8("1");
    List<Fingerprint> all =
        Stream.of(
                PLAIN.start(),
                PLAIN.start().absent(),
                PLAIN.start().absent().absent(),
                PLAIN.start().text(""),
                PLAIN.start().text("").text(""),
                PLAIN.start().bytes(new byte[0]),
                PLAIN.start().text("1"),
                PLAIN.start().bytes(one),
                PLAIN.start().json(one),
                PLAIN.start().text("ab").text("c"),
                PLAIN.start().text("a").text("bc"),
                PLAIN.start().text("abc"),
                PLAIN.start().text("T\0\0\0\1a"),
                PLAIN.start().text("").text("a"),
                PLAIN.start().json(one).text(""),
                PLAIN.start().text("").json(one),
                PLAIN.start().json(one).json(one))
            .map(FingerprintParts::finish)
            .toList();

    assertThat(all).doesNotHaveDuplicates();
  }

  @Test
  void takesPartsInAnyKindAndOrder() throws IOException {
    byte[] body = utf8("xx{\"b\":2,\"a\":1}yy");
    byte[] canonical = utf8("{\"a\":1,\"b\":2}");

    Fingerprint sliced = request().json(body, 2, body.length - 4).finish();
    Fingerprint streamed = request().json(new ByteArrayInputStream(canonical)).finish();

    assertThat(sliced).isEqualTo(request().json(canonical).finish()).isEqualTo(streamed);
    assertThat(request().bytes(body, 2, 3).finish())
        .isEqualTo(request().bytes(utf8("{\"b")).finish());
  }

  @Test
  void cannotBeUsedOnceFinished() {
    FingerprintParts parts = PLAIN.start().text("a");
    parts.finish();

    assertThatIllegalStateException()
        .isThrownBy(parts::finish)
        .withMessage("fingerprint is finished or has failed; start another");
  }

  @Test
  void cannotBeUsedAfterARefusalAndLeavesNoTraceOfIt() {
    Fingerprint before = PLAIN.json(utf8("{\"a\":1}"));
    FingerprintParts parts = PLAIN.start().text("a");

    assertThatExceptionOfType(JsonRefusedException.class)
        .isThrownBy(() -> parts.json(utf8("[[[{\"a\":")));

    assertThatIllegalStateException().isThrownBy(() -> parts.json(utf8("1")));
    assertThat(PLAIN.json(utf8("{\"a\":1}"))).isEqualTo(before);
  }

  @Test
  void refusesTextThatUtf8CannotDistinguish() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PLAIN.start().text("a\ud800b"))
        .withMessage("text must be Unicode, got a lone surrogate at index 1");
    assertThat(PLAIN.start().text("\ud83d\ude02").finish())
        .isNotEqualTo(PLAIN.start().text("?").finish());
  }

  @Test
  void leavesOutWhatItsRuleLeavesOut() {
    Fingerprinter steps =
        Fingerprinter.builder().json(CanonicalJson.standard().withoutNamed("sent_at")).build();

    assertThat(steps.json(utf8("{\"a\":1,\"sent_at\":\"10:00\"}")))
        .isEqualTo(steps.json(utf8("{\"sent_at\":\"10:01\",\"a\":1}")));
  }

  @Test
  void servesManyThreadsAtOnce() {
    List<byte[]> bodies =
        IntStream.range(0, 64).mapToObj(i -> utf8("{\"b\":[" + i + "],\"a\":\"x\"}")).toList();
    List<Fingerprint> alone = bodies.stream().map(PLAIN::json).toList();

    for (int round = 0; round < 50; round++) {
      assertThat(bodies.parallelStream().map(PLAIN::json).toList()).isEqualTo(alone);
    }
  }

  private static FingerprintParts request() {
    return PLAIN.start().text("POST").text("/v1/missions").absent().text("tenant").text("caller");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }
}
