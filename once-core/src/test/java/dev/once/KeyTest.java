package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTest {
  @Test
  void takesPartsUpToTheirLimits() {
    Key key = new Key("t".repeat(128), "s".repeat(512), "v".repeat(255));

    assertThat(key.tenant()).hasSize(Key.MAX_TENANT_CHARS);
    assertThat(key.scope()).hasSize(Key.MAX_SCOPE_CHARS);
    assertThat(key.value()).hasSize(Key.MAX_VALUE_CHARS);
  }

  @Test
  void refusesEmptyParts() {
    refuses("", "s", "v", "tenant must have 1 to 128 characters, got 0");
    refuses("t", "", "v", "scope must have 1 to 512 characters, got 0");
    refuses("t", "s", "", "key must have 1 to 255 characters, got 0");
  }

  @Test
  void refusesPartsThatAreTooLong() {
    refuses("t".repeat(129), "s", "v", "tenant must have 1 to 128 characters, got 129");
    refuses("t", "s".repeat(513), "v", "scope must have 1 to 512 characters, got 513");
    refuses("t", "s", "v".repeat(256), "key must have 1 to 255 characters, got 256");
  }

  @Test
  void refusesNulInEveryPart() {
    refuses("t\0", "s", "v", "tenant must not contain U+0000, found at 1");
    refuses("t", "\0s", "v", "scope must not contain U+0000, found at 0");
    refuses("t", "s", "va\0", "key must not contain U+0000, found at 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\ud83d", "a\ude00", "a\ude00\ud83d", "a\ud83dz"})
  void refusesHalfASurrogatePair(String value) {
    refuses("t", "s", value, "key has half a surrogate pair at 1");
  }

  @Test
  void countsBytesRatherThanCharacters() {
    String twoBytes = "\u00e9".repeat(128);
    String threeBytes = "\u20ac".repeat(512);

    assertThat(new Key(twoBytes, threeBytes, "v".repeat(208)).value()).hasSize(208);
    refuses(
        twoBytes,
        threeBytes,
        "v".repeat(209),
        "tenant, scope and key must take at most 2000 bytes, got 2001");
  }

  @Test
  void countsASurrogatePairAsFourBytes() {
    String pairs = "\ud83d\ude00".repeat(256); // 512 characters, 1024 bytes
    String threeBytes = "\u20ac".repeat(255);

    refuses(
        "\u00e9".repeat(128),
        pairs,
        threeBytes,
        "tenant, scope and key must take at most 2000 bytes, got 2045");
  }

  @Test
  void neverShowsTheRawValue() {
    Key key = new Key("acme", "webhook:whatsapp", "wamid.secret");

    assertThat(key.toString()).doesNotContain("secret").startsWith("acme/webhook:whatsapp/#");
    assertThat(key.shortHash()).matches("[0-9a-f]{12}");
    assertThat(key.toString()).endsWith(key.shortHash());
  }

  @Test
  void showsTheSameHashForTheSameValueOnly() {
    Key key = new Key("t", "s", "v");

    assertThat(key).hasToString(new Key("t", "s", "v").toString());
    assertThat(key.toString()).isNotEqualTo(new Key("t", "s", "w").toString());
  }

  @Test
  void tellsPartsApartThatWouldReadAlikeWhenJoined() {
    assertThat(new Key("a:b", "c", "d")).isNotEqualTo(new Key("a", "b:c", "d"));
    assertThat(new Key("a", "b/c", "d")).isNotEqualTo(new Key("a", "b", "c/d"));
  }

  @Test
  void tellsCaseSpaceAndUnicodeFormsApart() {
    Key key = new Key("t", "s", "caf\u00e9");

    assertThat(key)
        .isNotEqualTo(new Key("t", "s", "Caf\u00e9"))
        .isNotEqualTo(new Key("t", "s", "caf\u00e9 "))
        .isNotEqualTo(new Key("t", "s", "cafe\u0301"));
  }

  private static void refuses(String tenant, String scope, String value, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Key(tenant, scope, value))
        .withMessage(message);
  }
}
