package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FingerprintTest {
  @Test
  void putsTheLengthInFrontOfEachPart() {
    assertThat(Fingerprint.sha256("ab", "c")).isNotEqualTo(Fingerprint.sha256("a", "bc"));
    assertThat(Fingerprint.sha256("a", "")).isNotEqualTo(Fingerprint.sha256("a"));
    assertThat(Fingerprint.sha256("", "a")).isNotEqualTo(Fingerprint.sha256("a", ""));
  }

  @Test
  void readsTextAsUtf8() {
    byte[] bytes = "caf\u00e9".getBytes(StandardCharsets.UTF_8);

    assertThat(Fingerprint.sha256("caf\u00e9")).isEqualTo(Fingerprint.sha256(bytes));
  }

  @Test
  void staysTheSameFromReleaseToRelease() {
    // SHA-256 of 00 00 00 01 'a'; records in production hold such digests.
    assertThat(Fingerprint.sha256("a"))
        .hasToString("sha256:cv9rApSdrZUAbDQ-PbMVAJDTr7Sfa725L9wXYHmXqFw");
  }

  @Test
  void readsBackWhatItWrote() {
    Fingerprint fingerprint = Fingerprint.sha256("charge", "100");

    assertThat(Fingerprint.parse(fingerprint.toString())).isEqualTo(fingerprint);
    assertThat(Fingerprint.parse(Fingerprint.NONE.toString())).isEqualTo(Fingerprint.NONE);
  }

  @Test
  void equalsNoFingerprintOfAnotherAlgorithm() {
    byte[] digest = {1, 2, 3};

    assertThat(Fingerprint.of("sha256", digest)).isNotEqualTo(Fingerprint.of("sha512", digest));
  }

  @Test
  void matchesWhatIsEqualAndNothingElse() {
    Fingerprint fingerprint = new Fingerprint("sha256", "abcd");

    assertThat(fingerprint.matches(new Fingerprint("sha256", "abcd"))).isTrue();
    assertThat(Fingerprint.NONE.matches(Fingerprint.NONE)).isTrue();
    assertThat(fingerprint.matches(new Fingerprint("sha256", "xbcd"))).isFalse();
    assertThat(fingerprint.matches(new Fingerprint("sha256", "abcx"))).isFalse();
    assertThat(fingerprint.matches(new Fingerprint("sha256", "abc"))).isFalse();
    assertThat(fingerprint.matches(new Fingerprint("sha256", ""))).isFalse();
    assertThat(fingerprint.matches(new Fingerprint("sha512", "abcd"))).isFalse();
  }

  @Test
  void writesDigestsThatAreSafeInUrls() {
    byte[] digest = {(byte) 0xfb, (byte) 0xff};

    assertThat(Fingerprint.of("x", digest)).hasToString("x:-_8");
  }

  @Test
  void refusesAnAlgorithmOutsideItsAlphabet() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Fingerprint("SHA:256", ""))
        .withMessage("fingerprint algorithm must consist of a-z, 0-9 and -, got SHA:256");
  }

  @Test
  void refusesPartsThatAreTooLong() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Fingerprint("a".repeat(33), ""))
        .withMessage("fingerprint algorithm must have 1 to 32 characters, got 33");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Fingerprint("a", "d".repeat(129)))
        .withMessage("fingerprint digest must have 0 to 128 characters, got 129");
  }

  @Test
  void refusesADigestThatTakesMoreBytesThanCharacters() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Fingerprint("sha256", "é".repeat(128)))
        .withMessage("fingerprint digest must be visible ASCII");
  }

  @Test
  void refusesTextWithoutAnAlgorithm() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fingerprint.parse("abc"))
        .withMessage("fingerprint must read algorithm:digest, got abc");
  }

  @Test
  void refusesHalfASurrogatePair() {
    // An encoder writes a question mark for it, and two different requests would be one.
    assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.sha256("\ud800"));
  }
}
