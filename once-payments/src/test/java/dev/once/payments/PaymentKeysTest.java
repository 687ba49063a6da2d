package dev.once.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Key;
import dev.once.json.Fingerprinter;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaymentKeysTest {
  private static final Amount AMOUNT = Amount.of("1000", "RWF");
  private static final Phone PHONE = Phone.of("+250788123456");

  private final PaymentKeys keys = new PaymentKeys(Fingerprinter.sha256());

  @Test
  void writesARequestsKeyAsItIsAgreed() {
    Key key = keys.key(request("o-17"));

    assertThat(key.tenant()).isEqualTo("acme");
    assertThat(key.scope()).isEqualTo("payment_request");
    assertThat(key.value())
        .matches("provider:momo:order:o-17:amount:1000:phone:\\+\\*{10}56~[A-Za-z0-9_-]{22}");
  }

  @Test
  void showsNothingOfACardAndTheNumberOfLaterAttempts() {
    PaymentRequest byCard = request("o-17").withPayer(Instrument.card("tok_visa_4242"));

    assertThat(keys.key(byCard.withAttempt(2)).value())
        .matches("provider:momo:order:o-17:amount:1000:card:~[A-Za-z0-9_-]{22}:attempt:2");
    assertThat(byCard.payer()).hasToString("card:");
    assertThatThrownBy(() -> Instrument.card("4242 4242 4242 4242"))
        .hasMessage("card must be the provider's token, not a card's number");
    assertThatThrownBy(() -> byCard.withAttempt(0)).hasMessage("attempt must be 1 to 100, got 0");
  }

  @Test
  void writesAConfirmationsKeyAsItIsAgreed() {
    Key key = keys.key(confirmation("363440463"));

    assertThat(key)
        .isEqualTo(new Key("acme", "payment_confirmation", "provider:momo:tx:363440463"));
  }

  @Test
  void tellsPhonesApartThatLookAlikeWhenMasked() {
    Phone alike = Phone.of("+250788999956");

    assertThat(alike.masked()).isEqualTo(PHONE.masked());
    assertThat(keys.key(new PaymentRequest("acme", "momo", "o-17", AMOUNT, alike)))
        .isNotEqualTo(keys.key(request("o-17")));
  }

  @Test
  void hidesThePhoneFromThoseWithoutTheSecret() {
    var secret = Fingerprinter.builder().key(new byte[32]).build();

    assertThat(new PaymentKeys(secret).key(request("o-17")))
        .isNotEqualTo(keys.key(request("o-17")));
  }

  @Test
  void letsNoIdImitateAnotherKey() {
    assertThat(keys.key(request("o:amount:1"))).isNotEqualTo(keys.key(request("o%3Aamount%3A1")));
    assertThat(keys.key(request("o:amount:1")).value()).contains(":order:o%3Aamount%3A1:amount:");
    assertThat(keys.key(confirmation("a~b")).value()).endsWith("a%7Eb");
  }

  @Test
  void tellsLongIdsApartByTheirEnds() {
    String start = "x".repeat(PaymentKeys.MAX_ID_CHARS - 1);

    Key key = keys.key(request(start + "1"));

    assertThat(key.value()).hasSizeLessThanOrEqualTo(Key.MAX_VALUE_CHARS);
    assertThat(key).isNotEqualTo(keys.key(request(start + "2")));
    assertThat(keys.key(confirmation("😀".repeat(500))).value()).contains("~");
  }

  @Test
  void fitsAKeyWhenEverythingIsAsLongAsItMayBe() {
    Amount longest = Amount.of("123456789012345678.123456789012345678", "XAU");
    Phone phone = new Phone("+123456789012345");
    String provider = "p".repeat(32);
    PaymentRequest request =
        new PaymentRequest("acme", provider, ":".repeat(1000), longest, phone).withAttempt(100);
    Instrument card = new Instrument("k".repeat(16), "t".repeat(1000));

    for (PaymentRequest each : List.of(request, request.withPayer(card))) {
      assertThat(keys.key(each).value()).hasSizeLessThanOrEqualTo(Key.MAX_VALUE_CHARS);
      assertThat(keys.payerKey(each).value()).hasSizeLessThanOrEqualTo(Key.MAX_VALUE_CHARS);
    }
  }

  @Test
  void refusesAProviderThatCouldImitateAnother() {
    assertThatThrownBy(() -> new PaymentConfirmation("acme", "momo:tx", "1", AMOUNT, "SUCCESSFUL"))
        .hasMessageContaining("provider must have");
  }

  @Test
  void derivesAReferenceThatIsAlwaysTheSame() {
    Key key = new Key("acme", "payment_request", "provider:momo:order:1");

    assertThat(PaymentKeys.reference(key))
        .hasToString("aa8f8a06-9263-4e28-93c0-50e670378974")
        .isNotEqualTo(PaymentKeys.reference(new Key("other", key.scope(), key.value())));
    assertThat(PaymentKeys.reference(key).version()).isEqualTo(4);
    assertThat(PaymentKeys.reference(key).variant()).isEqualTo(2);
  }

  private static PaymentRequest request(String order) {
    return new PaymentRequest("acme", "momo", order, AMOUNT, PHONE);
  }

  private static PaymentConfirmation confirmation(String transaction) {
    return new PaymentConfirmation("acme", "momo", transaction, AMOUNT, "SUCCESSFUL");
  }
}
