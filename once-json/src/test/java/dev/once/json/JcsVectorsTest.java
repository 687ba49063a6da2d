package dev.once.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares canonical JSON with the vectors of RFC 8785. */
class JcsVectorsTest {
  // The one number in the vectors that binary64 cannot hold: RFC 8785 rounds it and we do not.
  private static final String ROUNDED = "333333333.3333333,";
  private static final String EXACT = "333333333.33333329,";

  static List<String> documents() {
    return Vectors.names("jcs/testdata/input", "");
  }

  @Test
  void thereAreSixDocuments() {
    assertThat(documents()).hasSize(6);
  }

  @ParameterizedTest
  @MethodSource("documents")
  void writesThePublishedBytesExceptForARoundedNumber(String name) {
    byte[] canonical = CanonicalJson.standard().bytes(Vectors.bytes("jcs/testdata/input/" + name));

    String published = new String(Vectors.bytes("jcs/testdata/output/" + name), UTF_8);
    assertThat(new String(canonical, UTF_8)).isEqualTo(published.replace(ROUNDED, EXACT));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void writesThePublishedHexExceptForARoundedNumber(String name) {
    byte[] canonical = CanonicalJson.standard().bytes(Vectors.bytes("jcs/testdata/input/" + name));

    String hex = new String(Vectors.bytes(hexOf(name)), UTF_8).replaceAll("\\s", "");
    String rounded = new String(canonical, UTF_8).replace(EXACT, ROUNDED);
    assertThat(HexFormat.of().formatHex(rounded.getBytes(UTF_8))).isEqualTo(hex);
  }

  @ParameterizedTest
  @MethodSource("documents")
  void keepsThePublishedOutputAsItIs(String name) {
    byte[] published = Vectors.bytes("jcs/testdata/output/" + name);

    assertThat(CanonicalJson.standard().bytes(published)).isEqualTo(published);
  }

  private static String hexOf(String name) {
    return "jcs/testdata/outhex/" + name.replace(".json", ".txt");
  }
}
