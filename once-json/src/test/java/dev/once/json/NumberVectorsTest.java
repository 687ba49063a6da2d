package dev.once.json;

import static dev.once.json.Spellings.canonical;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Compares numbers with the vectors of RFC 8785. Its text for a binary64 number is the shortest
 * that reads back as that number; read as a decimal and not rounded, that text is canonical here
 * too. A text that is not the shortest shows the difference: RFC 8785 shortens it, and here it
 * keeps its digits.
 */
class NumberVectorsTest {
  private static final List<String> LINES = Vectors.lines("jcs/es6numbers-10k.txt");
  private static final List<String> SAMPLES =
      Vectors.lines("jcs/numbers-rfc8785-appendix-b.csv").stream().skip(1).toList();

  @Test
  void keepsAllTenThousandPublishedTextsAsTheyAre() {
    assertThat(LINES).hasSize(10_000);
    assertThat(LINES).allSatisfy(line -> assertThat(canonical(text(line))).isEqualTo(text(line)));
  }

  @Test
  void writesTheExactDecimalOfEveryPublishedText() {
    assertThat(LINES)
        .allSatisfy(
            line -> {
              BigDecimal exact = new BigDecimal(text(line));
              assertThat(new BigDecimal(canonical(exact.toString()))).isEqualByComparingTo(exact);
            });
  }

  @Test
  void keepsTheDigitsThatBinary64WouldRoundAway() {
    assertThat(LINES)
        .allSatisfy(
            line -> {
              // Every digit of the binary64 number, of which the published text is an abbreviation.
              BigDecimal exact = new BigDecimal(binary64(line));
              String canonical = canonical(exact.toString());
              assertThat(new BigDecimal(canonical)).isEqualByComparingTo(exact);
              boolean abbreviated = exact.compareTo(new BigDecimal(text(line))) != 0;
              assertThat(canonical.equals(text(line))).isEqualTo(!abbreviated);
            });
  }

  @Test
  void keepsTheSamplesOfAppendixBAsTheyAre() {
    assertThat(SAMPLES).hasSize(26);
    assertThat(SAMPLES)
        .filteredOn(sample -> !text(sample).isEmpty())
        .hasSize(24)
        .allSatisfy(sample -> assertThat(canonical(text(sample))).isEqualTo(text(sample)));
  }

  @Test
  void refusesWhatAppendixBCallsAnError() {
    assertThat(List.of("NaN", "Infinity", "-Infinity", "-NaN"))
        .allSatisfy(
            word ->
                assertThat(Spellings.reason(word)).isEqualTo(JsonRefusedException.Reason.SYNTAX));
  }

  private static double binary64(String line) {
    return Double.longBitsToDouble(Long.parseUnsignedLong(line.split(",", -1)[0], 16));
  }

  private static String text(String line) {
    return line.split(",", -1)[1];
  }
}
