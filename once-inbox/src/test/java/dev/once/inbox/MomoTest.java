package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MomoTest {
  private static final String REFERENCE = "5d2f1b9a-32d1-4c5e-9f0a-0c3f4f2f9b11";
  private static final String TOKEN = "Zk3v-unguessable-7Q";
  private static final Provider PROVIDER = Provider.mtnMomo("acme");
  private static final String SUCCESSFUL =
      """
      {"financialTransactionId":"363440463","externalId":"10001","amount":"1000",\
      "currency":"EUR","payer":{"partyIdType":"MSISDN","partyId":"46733123454"},\
      "payerMessage":"m","payeeNote":"n","status":"SUCCESSFUL"}""";

  @Test
  void takesTheReferenceFromThePath() {
    Item item = Sent.item(PROVIDER, Sent.put(SUCCESSFUL, REFERENCE));

    assertThat(item.type()).isEqualTo("transaction");
    assertThat(item.id()).isEqualTo(REFERENCE + "/SUCCESSFUL");
    assertThat(Sent.text(item))
        .isEqualTo(
            "{\"reference\":\"%s\",\"status\":\"SUCCESSFUL\",\"callback\":%s}"
                .formatted(REFERENCE, SUCCESSFUL));
  }

  @Test
  void takesTheReferenceFromTheBodyOrAHeader() {
    String upperCase = REFERENCE.toUpperCase(Locale.ROOT);
    Delivery inBody =
        Sent.post("{\"referenceId\":\"%s\",\"transactionStatus\":\"failed\"}".formatted(upperCase));
    Delivery inHeader = Sent.post(SUCCESSFUL, "X-Reference-Id", REFERENCE);

    assertThat(Sent.item(PROVIDER, inBody).id()).isEqualTo(REFERENCE + "/FAILED");
    assertThat(Sent.item(PROVIDER, inHeader).id()).isEqualTo(REFERENCE + "/SUCCESSFUL");
  }

  @Test
  void keepsNothingOfWhatIsPending() {
    assertThat(Sent.items(PROVIDER, Sent.put("{\"status\":\"PENDING\"}", REFERENCE))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"'{}', UNKNOWN", "'{\"status\":7}', UNKNOWN", "'{\"status\":\"EXPIRED\"}', EXPIRED"})
  void keepsOtherStatesAsUnknown(String body, String status) {
    Item item = Sent.item(PROVIDER, Sent.put(body, REFERENCE));

    assertThat(item.type()).isEqualTo("unknown");
    assertThat(item.id()).isEqualTo(REFERENCE + "/" + status);
  }

  @Test
  void refusesACallbackWithoutAReference() {
    assertThat(Sent.refusal(PROVIDER, Sent.put(SUCCESSFUL)))
        .isEqualTo("400 webhook.reference_missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "3", "{\"referenceId\":\"another\",\"status\":\"FAILED\"}"})
  void refusesWhatHasNoSingleMeaning(String body) {
    assertThat(Sent.refusal(PROVIDER, Sent.put(body, REFERENCE)))
        .isEqualTo("400 webhook.malformed");
  }

  @Test
  void hidesBehindItsPathToken() {
    Provider provider = PROVIDER.withPathToken(TOKEN);
    Delivery wrongMethod = new Delivery("GET", List.of("x"), Map.of(), Map.of(), new byte[0]);

    assertThat(Sent.item(provider, Sent.put(SUCCESSFUL, TOKEN, REFERENCE)).id())
        .isEqualTo(REFERENCE + "/SUCCESSFUL");
    assertThat(Sent.refusal(provider, Sent.put(SUCCESSFUL, REFERENCE)))
        .isEqualTo("404 webhook.unknown_provider");
    assertThat(Sent.refusal(provider, Sent.put(SUCCESSFUL)))
        .isEqualTo("404 webhook.unknown_provider");
    assertThat(Sent.refusal(provider, wrongMethod)).isEqualTo("404 webhook.unknown_provider");
  }

  @Test
  void wantsALongTokenAndDoesNotShowIt() {
    assertThatThrownBy(() -> PROVIDER.withPathToken("short-secret"))
        .hasMessage("path token must have 16 to 128 letters, digits and ._~-, got 12 characters");
  }

  @Test
  void mustBeConfirmed() {
    assertThat(PROVIDER.mustBeConfirmed()).isTrue();
  }
}
