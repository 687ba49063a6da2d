package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemes that users declare, with examples that providers have published. */
class SchemeVectorsTest {
  /** From docs.slack.dev, "Verifying requests from Slack". */
  private static final String SLACK_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";

  private static final String SLACK_COMMAND =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow"
          + "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner"
          + "&command=%2Fwebhook-collect&text="
          + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554"
          + "%2F96rGlfmibIGlgcZRskXaIFfN"
          + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";

  /** From transferwise/digital-signatures-examples: a sandbox key of Wise, and what it signed. */
  private static final String WISE_KEY =
      """
      -----BEGIN PUBLIC KEY-----
      MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwpb91cEYuyJNQepZAVfP
      ZIlPZfNUefH+n6w9SW3fykqKu938cR7WadQv87oF2VuT+fDt7kqeRziTmPSUhqPU
      ys/V2Q1rlfJuXbE+Gga37t7zwd0egQ+KyOEHQOpcTwKmtZ81ieGHynAQzsn1We3j
      wt760MsCPJ7GMT141ByQM+yW1Bx+4SG3IGjXWyqOWrcXsxAvIXkpUD/jK/L958Cg
      nZEgz0BSEh0QxYLITnW1lLokSx/dTianWPFEhMC9BgijempgNXHNfcVirg1lPSyg
      z7KqoKUN0oHqWLr2U1A+7kqrl6O2nx3CKs1bj1hToT1+p4kcMoHXA7kA+VBLUpEs
      VwIDAQAB
      -----END PUBLIC KEY-----
      """;

  private static final String WISE_BODY =
      "{\"data\":{\"resource\":{\"id\":49983981,\"profile_id\":16055450,\"account_id\":14124090,"
          + "\"type\":\"transfer\"},\"current_state\":\"incoming_payment_waiting\","
          + "\"previous_state\":null,\"occurred_at\":\"2021-08-23T10:12:50Z\"},"
          + "\"subscription_id\":\"90aa8e14-4ef1-4a56-861c-f3c9cde097ea\","
          + "\"event_type\":\"transfers#state-change\",\"schema_version\":\"2.0.0\","
          + "\"sent_at\":\"2021-08-23T10:12:50Z\"}";
  private static final String WISE_SIGNATURE =
      "wKcKCYXAzxNgiu7xmoDm943NUni7Rz33QN8JkEA9dWSGebgndonabgSj18Y4C08OrwVmueGsED2s00M7DtJVcYKO"
          + "S1i3G4TMVx+mgM3aL9djMBkQtiYNBFUd6wrPI7ZUNHv/TrlKSjTMc+6JFvUvJ7owY3z85e3I4jLRLJowMFvO"
          + "8kvCJ60+1pY9wDwZvtZ//WS93LrwGjk9Dvwzpmu0w+P4J75tETT5qC3Uv0y5G2yO8SEoO3yNP/tg/BOli02n"
          + "iHb53vEOUWUb9bly6thnfMoXoiV/osoGxgF20R58RlvkAmezyyl1Sv542TfS2DpiwVnmjjjkCyXeSUcKookY"
          + "LQ==";

  /** From twilio.com/docs/usage/security, in two editions of the page. */
  private static final String TWILIO_URL = "https://mycompany.com/myapp.php?foo=1&bar=2";

  @Test
  void verifiesWhatSlackPublished() {
    Provider slack = Provider.slack("acme", SLACK_SECRET);
    Instant signed = Instant.ofEpochSecond(1531420618);
    Delivery command = slackCommand(SLACK_COMMAND);

    DeliveryCheck check = Sent.read(slack, command, signed);

    assertThat(check).isInstanceOf(DeliveryCheck.Genuine.class);
    Item item = ((DeliveryCheck.Genuine) check).items().get(0);
    assertThat(Sent.text(item)).contains("\"command\":\"/webhook-collect\"", "\"text\":\"\"");
    assertThat(Sent.read(slack, slackCommand(SLACK_COMMAND + "&x=1"), signed))
        .isInstanceOf(DeliveryCheck.Answered.class);
    assertThat(Sent.read(slack, command, signed.plusSeconds(301)))
        .isInstanceOf(DeliveryCheck.Answered.class);
  }

  @ParameterizedTest
  @CsvSource({
    "%2B14158675309, RSOYDt4T1cUTdK1PDd93/VVr8B8=",
    "%2B12349013030, 0/KCTR6DLpKmkAf8muzZqo1nDgQ="
  })
  void verifiesWhatTwilioPublished(String caller, String signature) {
    Provider twilio = Provider.twilio("acme", TWILIO_URL, "12345");
    String form =
        "To=%2B18005551212&Digits=1234&From="
            + caller
            + "&CallSid=CA1234567890ABCDE&Caller="
            + caller;

    Item item = Sent.item(twilio, twilioForm(form, signature));

    assertThat(Sent.text(item)).contains("\"Digits\":\"1234\"");
    assertThat(Sent.refusal(twilio, twilioForm(form.replace("1234&", "9999&"), signature)))
        .isEqualTo("401 webhook.signature_invalid");
  }

  @Test
  void recordsUnderOneIdWhateverFieldsASignedFormIsSplitInto() {
    Provider twilio = Provider.twilio("acme", TWILIO_URL, "12345");
    String signature = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";
    String caller = "Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212";
    Item genuine = Sent.item(twilio, twilioForm("CallSid=CA1234567890ABCDE&" + caller, signature));
    Item split = Sent.item(twilio, twilioForm("CallSidCA=1234567890ABCDE&" + caller, signature));

    assertThat(split.id()).isEqualTo(genuine.id());
    assertThat(split.fingerprint()).isNotEqualTo(genuine.fingerprint());
  }

  @Test
  void verifiesWhatWisePublished() {
    Provider wise =
        Provider.custom(
            "wise",
            "acme",
            Signing.rsaSha256("X-Signature-SHA256", WISE_KEY),
            Fields.none().withType("/event_type"));

    assertThat(Sent.item(wise, Sent.post(WISE_BODY, "X-Signature-SHA256", WISE_SIGNATURE)).type())
        .isEqualTo("transfers#state-change");
    assertThat(Sent.refusal(wise, Sent.post(WISE_BODY + " ", "X-Signature-SHA256", WISE_SIGNATURE)))
        .isEqualTo("401 webhook.signature_invalid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"svix", "webhook"})
  void verifiesWhatSvixPublished(String headers) {
    Provider provider =
        headers.equals("svix")
            ? Provider.svix("acme", Signed.BASE64_SECRET)
            : Provider.standardWebhooks("acme", Signed.BASE64_SECRET);
    Delivery delivery =
        Sent.post(
            "{\"test\": 2432232314}",
            headers + "-id",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            headers + "-timestamp",
            "1614265330",
            headers + "-signature",
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");

    assertThat(Sent.item(provider, delivery).id()).isEqualTo("msg_p5jXN8AQM9LWM0D4loKWxJek");
  }

  /** RFC 8032, section 7.1, test 3. */
  @Test
  void verifiesWhatRfc8032Published() {
    List<String> keys =
        List.of(
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "whpk_/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=",
            "MCowBQYDK2VwAyEA/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=");
    String signature =
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a";
    byte[] body = {(byte) 0xaf, (byte) 0x82};

    for (String key : keys) {
      Provider provider =
          Provider.custom("rfc", "acme", Signing.ed25519("X-Sig", key), Fields.none());

      // Verified, and only then found not to be JSON.
      assertThat(Sent.refusal(provider, Sent.post(body, "X-Sig", signature)))
          .isEqualTo("400 webhook.malformed");
      assertThat(Sent.refusal(provider, Sent.post(body, "X-Sig", signature.replace('6', '7'))))
          .isEqualTo("401 webhook.signature_invalid");
    }
  }

  private static Delivery slackCommand(String body) {
    return Sent.post(
        body,
        "Content-Type",
        "application/x-www-form-urlencoded",
        "X-Slack-Request-Timestamp",
        "1531420618",
        "X-Slack-Signature",
        "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503");
  }

  private static Delivery twilioForm(String form, String signature) {
    return Sent.post(
        form,
        "Content-Type",
        "application/x-www-form-urlencoded; charset=UTF-8",
        "X-Twilio-Signature",
        signature);
  }
}
