package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.zip.CRC32;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user can declare about signatures, as data or as code. */
class SigningTest {
  private static final String BODY = "{\"id\":\"e-1\",\"sent\":\"2021-02-25T15:02:10Z\"}";
  private static final String NOW = Long.toString(Sent.NOW.getEpochSecond());
  private static final String INVALID = "401 webhook.signature_invalid";
  private static final String STALE = "401 webhook.timestamp_refused";

  @ParameterizedTest
  @ValueSource(strings = {"HmacSHA1", "HmacSHA256", "HmacSHA512"})
  void verifiesWithEachHash(String algorithm) {
    Signing signing =
        switch (algorithm) {
          case "HmacSHA1" -> Signing.hmacSha1("X-Sig", "old", "new");
          case "HmacSHA256" -> Signing.hmacSha256("X-Sig", "old", "new");
          default -> Signing.hmacSha512("X-Sig", "old", "new");
        };

    for (String secret : new String[] {"old", "new"}) {
      String signature = Signed.hex(mac(algorithm, secret, BODY));
      assertThat(result(signing, "X-Sig", signature)).isEqualTo("e-1");
      assertThat(result(signing, "X-Sig", signature.toUpperCase(Locale.ROOT))).isEqualTo(INVALID);
    }
    assertThat(result(signing, "X-Sig", Signed.hex(mac(algorithm, "other", BODY))))
        .isEqualTo(INVALID);
  }

  @Test
  void verifiesAnyTextThatIsDeclared() {
    Signing signing =
        Signing.hmacSha256("X-Sig", "s")
            .withTimestamp("X-Time")
            .over("v2|{header:X-Id}|{timestamp}|{crc32}|{body}");
    String signed = "v2|id-7|" + NOW + "|" + crc32() + "|" + BODY;
    String signature = Signed.hex(mac("HmacSHA256", "s", signed));

    assertThat(result(signing, "X-Sig", signature, "X-Time", NOW, "X-Id", "id-7")).isEqualTo("e-1");
    assertThat(result(signing, "X-Sig", signature, "X-Time", NOW, "X-Id", "id-8"))
        .isEqualTo(INVALID);
    assertThat(result(signing, "X-Sig", signature, "X-Time", NOW))
        .isEqualTo("401 webhook.signature_missing");
  }

  @Test
  void verifiesWhatCodeSaysIsSigned() {
    Signing signing =
        Signing.hmacSha256("X-Sig", "s")
            .over((delivery, time) -> (delivery.method() + BODY.length()).getBytes(UTF_8));

    assertThat(result(signing, "X-Sig", Signed.hex(mac("HmacSHA256", "s", "POST" + BODY.length()))))
        .isEqualTo("e-1");
  }

  @Test
  void verifiesAsCodeDecides() {
    byte[] password = "let me in".getBytes(UTF_8);
    Signing signing =
        Signing.checkedBy(
            it ->
                MessageDigest.isEqual(
                    password, it.header("Authorization").orElse("").getBytes(UTF_8)));
    Provider provider = Provider.custom("basic", "acme", signing, Fields.none().withId("/id"));

    assertThat(result(signing, "Authorization", "let me in")).isEqualTo("e-1");
    assertThat(result(signing, "Authorization", "let me out")).isEqualTo(INVALID);
    assertThat(provider.mustBeConfirmed()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "UNIX_MILLIS, 1614265330000, true",
    "UNIX_MILLIS, 1614265330, false",
    "ISO_8601, 2021-02-25T15:02:10Z, true",
    "ISO_8601, 2021-02-25T16:02:10.5+01:00, true",
    "ISO_8601, 2021-02-25T15:02:10, false",
    "ISO_8601, 2021-02-25T15:08:10Z, false"
  })
  void readsTimesAsTheyAreWritten(TimestampFormat format, String time, boolean isFresh) {
    Signing signing =
        Signing.hmacSha256("X-Sig", "s").withTimestamp("X-Time").withTimestampFormat(format);
    String signature = Signed.hex(mac("HmacSHA256", "s", time + "." + BODY));

    assertThat(result(signing, "X-Sig", signature, "X-Time", time))
        .isEqualTo(isFresh ? "e-1" : STALE);
  }

  @Test
  void readsTheTimeFromTheBody() {
    Signing signing =
        Signing.hmacSha256("X-Sig", "s")
            .withTimestampAt("/sent")
            .withTimestampFormat(TimestampFormat.ISO_8601);
    String old = BODY.replace("15:02", "14:02");

    assertThat(result(signing, "X-Sig", Signed.hex(mac("HmacSHA256", "s", BODY)))).isEqualTo("e-1");
    assertThat(Sent.refusal(provider(signing), Sent.post(old, "X-Sig", sha256(old))))
        .isEqualTo(STALE);
    assertThat(Sent.refusal(provider(signing), Sent.post("{}", "X-Sig", sha256("{}"))))
        .isEqualTo(STALE);
  }

  @Test
  void verifiesEd25519AndWebhooksOfVersion1aWithEitherKeyWhileOneReplacesTheOther()
      throws Exception {
    KeyPair old = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    KeyPair next = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    Provider provider =
        Provider.standardWebhooks("acme", publicKey(old), Signed.BASE64_SECRET, publicKey(next));

    for (KeyPair each : new KeyPair[] {old, next}) {
      String signature = "v1,AAAA v1a," + ed25519(each, "msg_1." + NOW + "." + BODY);
      assertThat(Sent.item(provider, standard(NOW, signature)).id()).isEqualTo("msg_1");
      assertThat(Sent.refusal(provider, standard(NOW, signature.replace("v1a", "v1"))))
          .isEqualTo(INVALID);
      assertThat(Sent.refusal(provider, standard("1614265331", signature))).isEqualTo(INVALID);
    }
    assertThat(Sent.item(provider, Signed.standard("msg_2", NOW, BODY)).id()).isEqualTo("msg_2");
  }

  @Test
  void refusesMoreSignaturesThanAnyHonestSenderSends() {
    Signing signing = Signing.hmacSha256("X-Sig", "s").withSeparator(",").withPrefix("v1=");
    String genuine = "v1=" + sha256(BODY);

    assertThat(result(signing, "X-Sig", "v1=00,".repeat(7) + genuine)).isEqualTo("e-1");
    assertThat(result(signing, "X-Sig", "v0=00,".repeat(50) + genuine)).isEqualTo("e-1");
    assertThat(result(signing, "X-Sig", "v1=00,".repeat(8) + genuine)).isEqualTo(INVALID);
    assertThat(result(signing, "X-Sig", genuine + ",".repeat(Signing.MAX_HEADER_CHARS)))
        .isEqualTo(INVALID);
  }

  @Test
  void refusesRulesThatCannotHold() {
    Signing signing = Signing.hmacSha256("X-Sig", "s");

    assertThatThrownBy(() -> signing.over("{bdy}")).hasMessageEndingWith("got {bdy}");
    assertThatThrownBy(() -> provider(signing.withTimestamp("X-Time").over("{body}")))
        .hasMessage("signed content must have {timestamp}, or any client can change the time");
    assertThatThrownBy(() -> provider(signing.over("{timestamp}{body}")))
        .hasMessage("signed content must not have {timestamp} unless a header has the time");
    assertThatThrownBy(() -> Signing.hmacSha256("X-Sig", "s".repeat(9).split("")))
        .hasMessage("number of keys must be 1 to 8, got 9");
    assertThatThrownBy(() -> Signing.rsaSha256("X-Sig", publicKeyOf("RSA", 1024)))
        .hasMessage("RSA key must have 2048 bits or more, got 1024");
    assertThatThrownBy(() -> Signing.ed25519("X-Sig", "whsec_AAAA"))
        .hasMessage("key must be a public key for Ed25519, as PEM or base64");
  }

  private static String result(Signing signing, String... headers) {
    Provider provider = provider(signing);
    Delivery delivery = Sent.post(BODY, headers);
    return Sent.read(provider, delivery) instanceof DeliveryCheck.Genuine genuine
        ? genuine.items().get(0).id()
        : Sent.refusal(provider, delivery);
  }

  private static Provider provider(Signing signing) {
    return Provider.custom("any", "acme", signing, Fields.none().withId("/id"));
  }

  private static Delivery standard(String time, String signature) {
    return Sent.post(
        BODY, "webhook-id", "msg_1", "webhook-timestamp", time, "webhook-signature", signature);
  }

  private static String crc32() {
    CRC32 sum = new CRC32();
    sum.update(BODY.getBytes(UTF_8));
    return Long.toString(sum.getValue());
  }

  private static String sha256(String content) {
    return Signed.hex(mac("HmacSHA256", "s", content));
  }

  private static byte[] mac(String algorithm, String secret, String content) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), algorithm));
      return mac.doFinal(content.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String publicKey(KeyPair pair) {
    byte[] encoded = pair.getPublic().getEncoded();
    byte[] raw = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    return "whpk_" + Base64.getEncoder().encodeToString(raw);
  }

  private static String publicKeyOf(String algorithm, int bits) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(bits);
    byte[] key = generator.generateKeyPair().getPublic().getEncoded();
    return Base64.getEncoder().encodeToString(key);
  }

  private static String ed25519(KeyPair pair, String content) throws GeneralSecurityException {
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(pair.getPrivate());
    signature.update(content.getBytes(UTF_8));
    return Base64.getEncoder().encodeToString(signature.sign());
  }
}
