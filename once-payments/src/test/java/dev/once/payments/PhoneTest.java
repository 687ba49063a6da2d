package dev.once.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.json.Redactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PhoneTest {
  private static final Phone RWANDAN = new Phone("+250788123456");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+250788123456",
        "+250 788 123 456",
        "250788123456",
        "00250788123456",
        "00 250 788-123-456",
        " +250 (0) 788 123 456 ",
        "+250.788.123.456",
        "٢٥٠٧٨٨١٢٣٤٥٦"
      })
  void readsEveryWayToWriteANumber(String written) {
    assertThat(Phone.of(written)).isEqualTo(RWANDAN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0788 123 456", "788123456", "+250788123456", "00250788123456"})
  void readsNumbersAsARegionWritesThem(String written) {
    assertThat(Phone.of(written, "RW")).isEqualTo(RWANDAN);
  }

  @Test
  void keepsTheZeroOfNumbersThatHaveOne() {
    assertThat(Phone.of("06 6982 1234", "IT").e164()).isEqualTo("+390669821234");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "+",
        "0788123456",
        "+250 788",
        "+999999999999",
        "250788123456789012",
        "1-800-FLOWERS",
        "+1 212 555 0123 ext. 7",
        "+1 212 555 0123 x7",
        "+12125550123;ext=7",
        "+46733123454#7"
      })
  void refusesWhatIsNoNumber(String written) {
    assertThatThrownBy(() -> Phone.of(written)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void saysNothingOfANumberThatItRefuses() {
    assertThatThrownBy(() -> Phone.of("0788123456"))
        .hasMessageContaining("region")
        .hasMessageNotContaining("788123");
    assertThatThrownBy(() -> new Phone("0788123456")).hasMessageNotContaining("788123");
    assertThatThrownBy(() -> Phone.of("0788123456", "Rwanda")).hasMessageContaining("two letters");
  }

  @Test
  void showsTheLastTwoDigitsAlone() {
    assertThat(RWANDAN).hasToString("+**********56");
    assertThat(RWANDAN.masked()).isEqualTo(Redactor.maskPhones("+250788123456"));
  }
}
