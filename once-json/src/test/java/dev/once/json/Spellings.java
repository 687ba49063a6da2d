package dev.once.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.once.json.JsonRefusedException.Reason;
import java.util.HexFormat;

/** Shorthand for tests of the text that a spelling becomes. */
final class Spellings {
  private Spellings() {}

  static String canonical(String json) {
    return canonical(CanonicalJson.standard(), json);
  }

  static String canonical(CanonicalJson rule, String json) {
    return new String(rule.bytes(json.getBytes(UTF_8)), UTF_8);
  }

  static JsonRefusedException refusal(String json) {
    return refusal(json.getBytes(UTF_8));
  }

  static JsonRefusedException refusal(byte[] json) {
    return catchThrowableOfType(
        JsonRefusedException.class, () -> CanonicalJson.standard().bytes(json));
  }

  static Reason reason(String json) {
    return refusal(json).reason();
  }

  /** Returns text made of hex bytes, for input that is not UTF-8. */
  static byte[] hex(String bytes) {
    return HexFormat.of().parseHex(bytes.replace(" ", ""));
  }
}
