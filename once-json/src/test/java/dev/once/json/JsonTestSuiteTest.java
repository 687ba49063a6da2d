package dev.once.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.once.json.JsonRefusedException.Reason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs JSONTestSuite: documents that any parser must accept or refuse, and our choice for the
 * others.
 */
class JsonTestSuiteTest {
  private static final String PARSING = "json-test-suite/test_parsing";
  private static final String TRANSFORM = "json-test-suite/test_transform";

  // Valid JSON with two meanings: parsers differ on which of the two values counts.
  private static final List<String> DUPLICATES =
      List.of("y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json");

  // Documents that the suite leaves open and we accept, with their canonical text.
  private static final Map<String, String> ACCEPTED =
      Map.of(
          "i_number_double_huge_neg_exp.json", "[1.23456e-787]",
          "i_number_too_big_neg_int.json", "[-1.23123123123123123123123123123e+29]",
          "i_number_too_big_pos_int.json", "[100000000000000000000]",
          "i_number_very_big_negative_int.json",
              "[-2.37462374673276894279832749832423479823246327846e+47]");

  // Documents that the suite leaves open and we refuse: all other i_ files are not Unicode text in
  // UTF-8.
  private static final Map<String, Reason> REFUSED =
      Map.ofEntries(
          Map.entry("i_number_huge_exp.json", Reason.EXPONENT_TOO_LARGE),
          Map.entry("i_number_neg_int_huge_exp.json", Reason.EXPONENT_TOO_LARGE),
          Map.entry("i_number_pos_double_huge_exp.json", Reason.EXPONENT_TOO_LARGE),
          Map.entry("i_number_real_neg_overflow.json", Reason.EXPONENT_TOO_LARGE),
          Map.entry("i_number_real_pos_overflow.json", Reason.EXPONENT_TOO_LARGE),
          Map.entry("i_number_real_underflow.json", Reason.EXPONENT_TOO_LARGE),
          Map.entry("i_object_key_lone_2nd_surrogate.json", Reason.LONE_SURROGATE),
          Map.entry("i_string_1st_surrogate_but_2nd_missing.json", Reason.LONE_SURROGATE),
          Map.entry("i_string_1st_valid_surrogate_2nd_invalid.json", Reason.LONE_SURROGATE),
          Map.entry("i_string_UTF-16LE_with_BOM.json", Reason.NOT_UTF8),
          Map.entry("i_string_UTF-8_invalid_sequence.json", Reason.NOT_UTF8),
          Map.entry("i_string_UTF8_surrogate_U+D800.json", Reason.NOT_UTF8),
          Map.entry("i_string_incomplete_surrogate_and_escape_valid.json", Reason.LONE_SURROGATE),
          Map.entry("i_string_incomplete_surrogate_pair.json", Reason.LONE_SURROGATE),
          Map.entry("i_string_incomplete_surrogates_escape_valid.json", Reason.LONE_SURROGATE),
          Map.entry("i_string_invalid_lonely_surrogate.json", Reason.LONE_SURROGATE),
          Map.entry("i_string_invalid_surrogate.json", Reason.LONE_SURROGATE),
          Map.entry("i_string_invalid_utf-8.json", Reason.NOT_UTF8),
          Map.entry("i_string_inverted_surrogates_U+1D11E.json", Reason.LONE_SURROGATE),
          Map.entry("i_string_iso_latin_1.json", Reason.NOT_UTF8),
          Map.entry("i_string_lone_second_surrogate.json", Reason.LONE_SURROGATE),
          Map.entry("i_string_lone_utf8_continuation_byte.json", Reason.NOT_UTF8),
          Map.entry("i_string_not_in_unicode_range.json", Reason.NOT_UTF8),
          Map.entry("i_string_overlong_sequence_2_bytes.json", Reason.NOT_UTF8),
          Map.entry("i_string_overlong_sequence_6_bytes.json", Reason.NOT_UTF8),
          Map.entry("i_string_overlong_sequence_6_bytes_null.json", Reason.NOT_UTF8),
          Map.entry("i_string_truncated-utf-8.json", Reason.NOT_UTF8),
          Map.entry("i_string_utf16BE_no_BOM.json", Reason.NOT_UTF8),
          Map.entry("i_string_utf16LE_no_BOM.json", Reason.NOT_UTF8),
          Map.entry("i_structure_500_nested_arrays.json", Reason.TOO_DEEP),
          Map.entry("i_structure_UTF-8_BOM_empty_object.json", Reason.NOT_UTF8));

  // Parsers read these differently; here each has one text or a reason for its refusal.
  private static final Map<String, String> TRANSFORMED =
      Map.ofEntries(
          Map.entry("number_-9223372036854775808.json", "[-9223372036854775808]"),
          Map.entry("number_-9223372036854775809.json", "[-9223372036854775809]"),
          Map.entry("number_1.0.json", "[1]"),
          Map.entry("number_1.000000000000000005.json", "[1.000000000000000005]"),
          Map.entry("number_1000000000000000.json", "[1000000000000000]"),
          Map.entry("number_10000000000000000999.json", "[10000000000000000999]"),
          Map.entry("number_1e-999.json", "[1e-999]"),
          Map.entry("number_1e6.json", "[1000000]"),
          Map.entry("number_9223372036854775807.json", "[9223372036854775807]"),
          Map.entry("number_9223372036854775808.json", "[9223372036854775808]"),
          Map.entry("object_key_nfc_nfd.json", "{\"e\u0301\":\"NFD\",\"\u00e9\":\"NFC\"}"),
          Map.entry("object_key_nfd_nfc.json", "{\"e\u0301\":\"NFD\",\"\u00e9\":\"NFC\"}"),
          Map.entry("object_same_key_different_values.json", "DUPLICATE_NAME"),
          Map.entry("object_same_key_same_value.json", "DUPLICATE_NAME"),
          Map.entry("object_same_key_unclear_values.json", "DUPLICATE_NAME"),
          Map.entry("string_1_escaped_invalid_codepoint.json", "LONE_SURROGATE"),
          Map.entry("string_1_invalid_codepoint.json", "NOT_UTF8"),
          Map.entry("string_2_escaped_invalid_codepoints.json", "LONE_SURROGATE"),
          Map.entry("string_2_invalid_codepoints.json", "NOT_UTF8"),
          Map.entry("string_3_escaped_invalid_codepoints.json", "LONE_SURROGATE"),
          Map.entry("string_3_invalid_codepoints.json", "NOT_UTF8"),
          Map.entry("string_with_escaped_NULL.json", "[\"A\\u0000B\"]"));

  static List<String> valid() {
    return Vectors.names(PARSING, "y_").stream().filter(n -> !DUPLICATES.contains(n)).toList();
  }

  static List<String> invalid() {
    return Vectors.names(PARSING, "n_");
  }

  static List<String> open() {
    return Vectors.names(PARSING, "i_");
  }

  static List<String> transform() {
    return Vectors.names(TRANSFORM, "");
  }

  @Test
  void thereAreThreeHundredAndFortyFiles() {
    assertThat(valid()).hasSize(95 - DUPLICATES.size());
    assertThat(invalid()).hasSize(188);
    assertThat(open()).hasSize(35).hasSize(ACCEPTED.size() + REFUSED.size());
    assertThat(transform()).hasSize(22).hasSize(TRANSFORMED.size());
  }

  @ParameterizedTest
  @MethodSource("valid")
  void acceptsWhatMustBeAccepted(String name) {
    byte[] canonical = CanonicalJson.standard().bytes(Vectors.bytes(PARSING + "/" + name));

    assertThat(CanonicalJson.standard().bytes(canonical)).isEqualTo(canonical);
  }

  @Test
  void refusesDuplicateNamesThoughParsersMustAcceptThem() {
    assertThat(DUPLICATES)
        .allSatisfy(name -> assertThat(textOrReason(PARSING, name)).isEqualTo("DUPLICATE_NAME"));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void refusesWhatMustBeRefused(String name) {
    byte[] json = Vectors.bytes(PARSING + "/" + name);

    assertThatExceptionOfType(JsonRefusedException.class)
        .isThrownBy(() -> CanonicalJson.standard().bytes(json))
        .satisfies(e -> assertThat(e.offset()).isBetween(0, json.length));
  }

  @ParameterizedTest
  @MethodSource("open")
  void decidesWhatTheSuiteLeavesOpen(String name) {
    Reason refused = REFUSED.get(name);
    String expected = refused == null ? ACCEPTED.getOrDefault(name, "?") : refused.name();

    assertThat(textOrReason(PARSING, name)).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("transform")
  void givesEachTransformOneText(String name) {
    assertThat(textOrReason(TRANSFORM, name)).isEqualTo(TRANSFORMED.getOrDefault(name, "?"));
  }

  private static String textOrReason(String folder, String name) {
    try {
      byte[] json = Vectors.bytes(folder + "/" + name);
      return new String(CanonicalJson.standard().bytes(json), UTF_8);
    } catch (JsonRefusedException e) {
      return e.reason().name();
    }
  }
}
