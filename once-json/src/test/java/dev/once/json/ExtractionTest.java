package dev.once.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.once.json.JsonRefusedException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExtractionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "/a; {\"b\":{\"a\":2}, \"a\" : 1.0}; 1",
        "/a; {\"\\u0061\":\"\\u0041\"}; \"A\"",
        "/a; {\"a\":{\"c\":[ ],\"b\":null}}; {\"b\":null,\"c\":[]}",
        "/b/a; {\"a\":1,\"b\":{\"a\":2}}; 2",
        "/a/1; {\"a\":[1,[2],3]}; [2]",
        "/a; {\"b\":1}; none",
        "/a; [\"a\"]; none",
        "/a; \"a\"; none"
      })
  void returnsTheCanonicalTextOfTheValue(String pointer, String json, String expected) {
    assertThat(valueAt(pointer, json)).isEqualTo(expected);
  }

  @Test
  void checksTheWholeDocument() {
    assertThatExceptionOfType(JsonRefusedException.class)
        .isThrownBy(() -> valueAt("/a", "{\"a\":1,\"b\":2,\"b\":3}"))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.DUPLICATE_NAME));
  }

  private static String valueAt(String pointer, String json) {
    return CanonicalJson.standard()
        .valueAt(pointer, json.getBytes(UTF_8))
        .map(it -> new String(it, UTF_8))
        .orElse("none");
  }
}
