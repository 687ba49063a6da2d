package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The certificate and the signature were made for this test, with OpenSSL. */
class PayPalTest {
  private static final String CERTIFICATE =
      """
      -----BEGIN CERTIFICATE-----
      MIIDMzCCAhugAwIBAgIUIqC5b5bOtCQ4wVyxpf//FlFrUdIwDQYJKoZIhvcNAQEL
      BQAwKDEmMCQGA1UEAwwdbWVzc2FnZXZlcmlmaWNhdGlvbmNlcnRzLnRlc3QwIBcN
      MjYxMTE4MjAwNTA4WhgPMjEyNjEwMjUyMDA1MDhaMCgxJjAkBgNVBAMMHW1lc3Nh
      Z2V2ZXJpZmljYXRpb25jZXJ0cy50ZXN0MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A
      MIIBCgKCAQEAwJd65dhEwMFiKKxkhyWUCysxl4oyd2mx2gdAZi9Am92St28T2Eg7
      kf9YZllp3so33jSlZynmKp2FhNa7Pv/FwmDhsDDTkbuEKpiZZ/nzzcRr4HIPQ7QM
      qmZaMB3vhbFIw5poMnD9u4PjmR3Rhu9GfyPkB7Ocso4zKNLonWUJBLBUkQAaIO+S
      qrZChfx1HUgu3i9Iid0qIaPF+BevVM/M1rw6RiAmc5GWnQHfx64Q/tNBDbM03aaw
      LhhummpkLDeAjjFHXxM3beGM0dzreiL3cDf4aBahEgGKoqLtMNBHfW97M0R1dfJx
      W/NwLoIkm0vX+ueTKSdefemeTKCLllC6EQIDAQABo1MwUTAdBgNVHQ4EFgQUj44s
      0q9J+V4iKC1MoexGz+HNdwAwHwYDVR0jBBgwFoAUj44s0q9J+V4iKC1MoexGz+HN
      dwAwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAQkZ2PfP2xJ/X
      eQtwogzXAUvOTJYR99gqPBVEv/r4uFj1BhDGz3gwUwY4zG8lIWfrukBjrXyFznwP
      ZqPhTc7d4BwoQQBhgkcmWmUPViHk8klq1rhAs7Il+TKJDbqyE+c3skATGtNP65FV
      Pf/+iDYLNb2SF93LIdrpSst5N0Yfw9glIDqZkWtwDPyozJF2Ida8Jk+fKgg5Tf3v
      ku9sfNdSQCz4rT0Mmnckn//tqOvZmLZpp5TjxTA0RR/aJ/aBpC6MQyROqL5d5XTM
      eKgEt5NkUXi/P99VozbYfeyINd5N+TvwxSKG/ebAklBCx4G9qj5aJnjirRlXsMnT
      FJ272v5qGw==
      -----END CERTIFICATE-----
      """;
  private static final String SIGNATURE =
      "EfNogFdojc6wJw9IzCveL8gbyLEk2cMh66jlcLHiAxGgzqCjsnShPpIiWz3yg0qAMz2xg2yEBxXXVaPhBhLrSVn1"
          + "F/tez4VauuTIHWHIv5VHsNE6i2NRMhn5a4UJwnzbdmHatATSbvFLKYW2FzwUmY36ip6zAY+IgWpKZEXos1Cmuvr5"
          + "nj03FZBOogNft+nRy2sABuq0ilRuLwvAmC4/1uK9WwALO1CxYwLgVxNPJwKaKfODE4xzFwd9tzASHof72gyuQuHGNFoXJQjFYaHZK0VBN1+htiREkhGpYSwisAFEfQPZLpkSaMUB7SFD1H/WuRwxwEx1Xn72HKtWyw67HQ==";
  private static final String EVENT =
      "{\"id\":\"WH-7MU294299R542214K\",\"event_type\":\"PAYMENTS.PAYMENT.CREATED\"}";
  private static final Provider PROVIDER =
      Provider.payPal("acme", "1JE4291016473214C", CERTIFICATE);

  @Test
  void verifiesTheChecksumOfTheBodyByACertificateAtHand() {
    Item item = Sent.item(PROVIDER, sent(EVENT));

    assertThat(item.id()).isEqualTo("WH-7MU294299R542214K");
    assertThat(item.type()).isEqualTo("PAYMENTS.PAYMENT.CREATED");
    assertThat(Sent.refusal(PROVIDER, sent(EVENT + " ")))
        .isEqualTo("401 webhook.signature_invalid");
    assertThat(Sent.refusal(Provider.payPal("acme", "ANOTHER", CERTIFICATE), sent(EVENT)))
        .isEqualTo("401 webhook.signature_invalid");
  }

  @Test
  void refusesWhatIsNoWebhookIdOrCertificate() {
    assertThatThrownBy(() -> Provider.payPal("acme", "{body}", CERTIFICATE))
        .hasMessageStartingWith("webhook id must");
    assertThatThrownBy(() -> Provider.payPal("acme", "1JE4291016473214C", "https://paypal.test"))
        .hasMessage("key must be a public key for RSA, as PEM or base64");
  }

  private static Delivery sent(String body) {
    return Sent.post(
        body,
        "PayPal-Transmission-Id",
        "69cd13f0-d67a-11e5-baa3-778b53f4ae55",
        "PayPal-Transmission-Time",
        "2016-02-18T20:01:35Z",
        "PayPal-Transmission-Sig",
        SIGNATURE);
  }
}
