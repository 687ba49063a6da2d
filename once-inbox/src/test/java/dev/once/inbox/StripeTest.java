package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StripeTest {
  private static final String EVENT =
      "{\"id\":\"evt_1\",\"type\":\"charge.succeeded\",\"account\":\"acct_9\"}";
  private static final Provider PROVIDER = Provider.stripe("acme", Signed.SECRET);
  private static final long NOW = Sent.NOW.getEpochSecond();

  @Test
  void tellsEventsApartByTheirId() {
    Item item = Sent.item(PROVIDER, Signed.stripe(NOW, EVENT));

    assertThat(item.id()).isEqualTo("evt_1");
    assertThat(item.type()).isEqualTo("charge.succeeded");
    assertThat(item.rank()).isEmpty();
    assertThat(PROVIDER.withTenants(Map.of("acct_9", "globex")).tenantOf(item)).isEqualTo("globex");
  }

  @ParameterizedTest
  @ValueSource(longs = {-301, 301})
  void refusesWhatWasSignedTooLongAgoOrAheadOfTime(long offset) {
    assertThat(Sent.refusal(PROVIDER, Signed.stripe(NOW + offset, EVENT)))
        .isEqualTo("401 webhook.timestamp_refused");
  }

  @Test
  void refusesTwoTimestamps() {
    Delivery sent = Signed.stripe(NOW, EVENT);
    String signature = sent.header("stripe-signature").orElseThrow();

    assertThat(
            Sent.refusal(PROVIDER, Signed.with(sent, "stripe-signature", signature + ",t=" + NOW)))
        .isEqualTo("401 webhook.signature_invalid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"id\":null}", "{\"id\":{}}", "[]", "{\"id\":\"a\\nb\"}"})
  void refusesAnEventWithoutAnId(String body) {
    assertThat(Sent.refusal(PROVIDER, Signed.stripe(NOW, body))).isEqualTo("400 webhook.malformed");
  }

  @Test
  void takesNoEndlessAccount() {
    String event = EVENT.replace("acct_9", "a".repeat(101));

    assertThat(Sent.item(PROVIDER, Signed.stripe(NOW, event)).account()).isEmpty();
  }

  @Test
  void remembersLongerThanEventsCanBeSentAgain() {
    assertThat(PROVIDER.retention()).isEqualTo(Duration.ofDays(16));
  }
}
