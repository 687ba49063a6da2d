package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {
  @Test
  void readsBackWhatItWrote() {
    Headers headers =
        Headers.NONE
            .with("ETag", "\"1: 2\"")
            .with("X-Empty", "")
            .with("X-Spaces", "  two  ")
            .with("ETag", "caf\u00e9 \ud83d\ude00");

    assertThat(Headers.parse(headers.toText())).isEqualTo(headers);
  }

  @Test
  void readsBackNoHeaders() {
    assertThat(Headers.NONE.toText()).isEmpty();
    assertThat(Headers.parse("")).isEqualTo(Headers.NONE);
  }

  @Test
  void findsTheFirstValueInAnyCase() {
    Headers headers = Headers.NONE.with("Trace-Id", "1").with("trace-id", "2");

    assertThat(headers.first("TRACE-ID")).contains("1");
    assertThat(headers.first("span-id")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\rb", "a\nb", "a\r\nSet-Cookie: x", "\0"})
  void refusesLineBreaksAndNulInValues(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Headers.NONE.with("X-Note", value))
        .withMessage("header X-Note must not have a line break or U+0000 in its value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a:b", "a\n", "caf\u00e9", "a\u007f"})
  void refusesNamesThatAreNotVisibleAscii(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Headers.NONE.with(name, "x"))
        .withMessageStartingWith("header name must be visible ASCII without a colon");
  }

  @Test
  void takesAtMostSixtyFour() {
    List<Headers.Header> most = Collections.nCopies(64, new Headers.Header("a", "b"));
    List<Headers.Header> tooMany = Collections.nCopies(65, new Headers.Header("a", "b"));

    assertThat(new Headers(most).list()).hasSize(Headers.MAX_HEADERS);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Headers(tooMany))
        .withMessage("number of headers must be 0 to 64, got 65");
  }

  @Test
  void takesAtMostSixteenKibiCharacters() {
    String longest = "v".repeat(Headers.MAX_CHARS - 1);

    assertThat(Headers.NONE.with("n", longest).first("n")).contains(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Headers.NONE.with("nn", longest))
        .withMessage("characters in headers must be 0 to 16384, got 16385");
  }

  @Test
  void refusesALineWithoutAName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Headers.parse("no colon here"))
        .withMessage("header line must read name: value");
  }

  @Test
  void showsNamesAlone() {
    assertThat(Headers.NONE.with("Set-Token", "secret")).hasToString("[Set-Token]");
  }

  @Test
  void keepsItsOwnCopyOfTheList() {
    List<Headers.Header> list = new ArrayList<>(List.of(new Headers.Header("a", "b")));
    Headers headers = new Headers(list);

    list.clear();

    assertThat(headers.first("a")).contains("b");
  }
}
