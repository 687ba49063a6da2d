package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A number that no type can hold is malformed: 400, not a failure that calls for a retry. */
class HugeNumberTest {
  @ParameterizedTest
  @ValueSource(strings = {"1e2147483648", "1e99999999999", "-1e-2147483649"})
  void refusesIt(String number) {
    Delivery callback =
        Sent.put("{\"referenceId\":\"r-1\",\"status\":\"SUCCESSFUL\",\"amount\":" + number + "}");

    assertThat(Sent.refusal(Provider.mtnMomo("acme"), callback)).isEqualTo("400 webhook.malformed");
  }
}
