package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CustomTest {
  private static final String TIME = Long.toString(Sent.NOW.getEpochSecond());
  private static final Signing SIGNING =
      Signing.hmacSha256("X-Acme-Signature", Signed.SECRET)
          .withPrefix("v1:")
          .inBase64()
          .withTimestamp("X-Acme-Time");
  private static final Fields FIELDS =
      Fields.none()
          .withId("/event/id")
          .withType("/event/type")
          .withAccount("/shop")
          .withOrder("/parcel/id", "/parcel/state", "packed", "sent", "arrived");
  private static final Provider PARCELS =
      Provider.custom("parcels", "acme", SIGNING, FIELDS).withTenants(Map.of("7", "globex"));

  @Test
  void readsWhatIsDeclared() {
    Item item =
        Sent.item(
            PARCELS,
            sent(
                """
                {"event":{"id":41,"type":"parcel.moved"},"shop":7,
                 "parcel":{"id":"p-1","state":"arrived"}}"""));

    assertThat(item.id()).isEqualTo("41");
    assertThat(item.type()).isEqualTo("parcel.moved");
    assertThat(item.rank()).contains(new Item.Rank("p-1", 3));
    assertThat(PARCELS.tenantOf(item)).isEqualTo("globex");
  }

  @Test
  void tellsEventsWithoutAnIdApartBySignatureTimeAndContent() {
    String id = Sent.item(PARCELS, sent("{\"a\":1}")).id();

    assertThat(id).hasSize(43).isEqualTo(Sent.item(PARCELS, sent("{\"a\":1}")).id());
    assertThat(id).isNotEqualTo(Sent.item(PARCELS, sent("{\"a\":2}")).id());
  }

  @Test
  void ranksNothingThatIsNotInOrder() {
    assertThat(Sent.item(PARCELS, sent("{\"parcel\":{\"id\":\"p\",\"state\":\"lost\"}}")).rank())
        .isEmpty();
    assertThat(Sent.item(PARCELS, sent("{\"parcel\":{\"state\":\"sent\"}}")).rank()).isEmpty();
  }

  @Test
  void verifiesWhatIsDeclared() {
    Delivery sent = sent("{}");

    assertThat(Sent.refusal(PARCELS, Sent.post("{}"))).isEqualTo("401 webhook.signature_missing");
    assertThat(Sent.refusal(PARCELS, Signed.with(sent, "x-acme-time", "1614265331")))
        .isEqualTo("401 webhook.signature_invalid");
    assertThat(
            Sent.read(PARCELS, sent, Sent.NOW.plusSeconds(301)) instanceof DeliveryCheck.Answered)
        .isTrue();
  }

  @Test
  void mustBeConfirmedUnlessItIsSigned() {
    Provider open = Provider.custom("open", "acme", Signing.none(), Fields.none());

    assertThat(open.mustBeConfirmed()).isTrue();
    assertThat(PARCELS.mustBeConfirmed()).isFalse();
    assertThat(Sent.item(open, Sent.post("{\"a\":1}")).type()).isEqualTo("event");
  }

  @Test
  void refusesRulesThatCannotHold() {
    assertThatThrownBy(() -> Fields.none().withId("event"))
        .hasMessage("pointer must start with / and so point below the root, got \"event\"");
    assertThatThrownBy(() -> Fields.none().withOrder("/a", "/b", "one"))
        .hasMessage("there must be 2 or more different states, got [one]");
    assertThatThrownBy(() -> Signing.hmacSha256("X-Signature"))
        .hasMessage("there must be 1 secret or more, got 0");
    assertThatThrownBy(() -> Signing.hmacSha256("X Signature", "s"))
        .hasMessage("header must have 1 to 64 letters, digits and -, got X Signature");
  }

  private static Delivery sent(String body) {
    byte[] mac = Signed.hmac(Signed.SECRET.getBytes(UTF_8), TIME + "." + body);
    String signature = "v1:" + Base64.getEncoder().encodeToString(mac);
    return Sent.post(body, "X-Acme-Signature", signature, "X-Acme-Time", TIME);
  }
}
