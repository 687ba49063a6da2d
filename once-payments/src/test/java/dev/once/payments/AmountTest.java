package dev.once.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountTest {
  @ParameterizedTest
  @ValueSource(strings = {"1000", "1000.00", "1e3", "1E+3", "0001000", "+1000.0"})
  void comparesAsADecimal(String written) {
    assertThat(Amount.of(written, "RWF")).isEqualTo(Amount.of("1000", "RWF"));
  }

  @Test
  void tellsAmountsApartThatAFloatingPointNumberCannot() {
    assertThat(Amount.of("9007199254740993", "RWF"))
        .isNotEqualTo(Amount.of("9007199254740992", "RWF"));
  }

  @Test
  void tellsCurrenciesApart() {
    assertThat(Amount.of("10", "EUR")).isNotEqualTo(Amount.of("10", "USD"));
  }

  @ParameterizedTest
  @CsvSource({
    "1e3, 1000",
    "49.90, 49.9",
    "0.000000000000000001, 0.000000000000000001",
    "100000000000000000, 100000000000000000",
    "1.0E-7, 0.0000001"
  })
  void hasOneTextWithoutExponentOrTrailingZeros(String written, String text) {
    assertThat(Amount.of(written, "XAU").text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"49.90, EUR", "0.001, KWD", "1000.00, RWF", "7, JPY"})
  void hasNoMoreDigitsThanItsCurrency(String written, String currency) {
    assertThat(Amount.of(written, currency).currency()).isEqualTo(currency);
  }

  @ParameterizedTest
  @CsvSource({"49.901, EUR, 2", "0.0001, KWD, 3", "1000.01, RWF, 0", "0.5, JPY, 0"})
  void refusesAPartOfTheSmallestUnit(String written, String currency, int digits) {
    assertThatThrownBy(() -> Amount.of(written, currency))
        .hasMessageStartingWith(
            "amount in %s must have at most %d digits after the point".formatted(currency, digits));
  }

  @Test
  void readsSmallestUnits() {
    assertThat(Amount.ofMinor(4990, "EUR")).isEqualTo(Amount.of("49.9", "EUR"));
    assertThat(Amount.ofMinor(4990, "RWF")).isEqualTo(Amount.of("4990", "RWF"));
    assertThat(Amount.ofMinor(4990, "KWD")).isEqualTo(Amount.of("4.99", "KWD"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "-1",
        "0.00",
        "ten",
        "1,000",
        "NaN",
        "1 000",
        "1e999999999",
        "1e-999999999",
        "1e2147483647",
        "1000000000000000000",
        "0.0000000000000000001",
        "1111111111111111111111111111111111111111111111111111111111111111111"
      })
  void refusesWhatIsNoSumOfMoney(String written) {
    assertThatThrownBy(() -> Amount.of(written, "EUR"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("amount");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "eur", "EURO", "XYZ", "€"})
  void refusesWhatIsNoCurrency(String currency) {
    assertThatThrownBy(() -> Amount.of("1", currency))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("currency");
  }
}
