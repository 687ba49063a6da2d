package dev.once.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SigningKeysTest {
  private static final byte[] BODY = "{\"a\":1}".getBytes(UTF_8);

  /** Published constants; SOURCE.txt next to them lists their origin. */
  @ParameterizedTest
  @MethodSource
  void signsAsPublished(JsonNode vector) {
    JsonNode headers = vector.path("headers");
    SigningKeys keys = SigningKeys.parse(List.of(vector.path("secret").asString()));

    String signed =
        keys.sign(
            headers.path("webhook-id").asString(),
            Long.parseLong(headers.path("webhook-timestamp").asString()),
            vector.path("body").asString().getBytes(UTF_8));

    assertThat(headers.path("webhook-signature").asString().split(" ", -1)).contains(signed);
  }

  static Stream<JsonNode> signsAsPublished() throws IOException {
    try (InputStream file =
        SigningKeysTest.class.getResourceAsStream("/webhook-signatures/vectors.json")) {
      JsonNode vectors = new JsonMapper().readTree(Objects.requireNonNull(file)).path("vectors");
      List<JsonNode> valid =
          vectors
              .valueStream()
              .filter(it -> it.path("scheme").asString().equals("standard-webhooks"))
              .filter(it -> it.path("valid").booleanValue())
              .toList();
      assertThat(valid).hasSizeGreaterThan(3);
      return valid.stream();
    }
  }

  @Test
  void signsWithEveryKeyWhileOneReplacesTheOther() {
    String next = WebhookEndpoint.newSecret();
    String both = SigningKeys.parse(List.of(next, WebhookDatabase.SECRET)).sign("msg_1", 1, BODY);

    assertThat(both.split(" ", -1))
        .containsExactly(
            SigningKeys.parse(List.of(next)).sign("msg_1", 1, BODY),
            SigningKeys.parse(List.of(WebhookDatabase.SECRET)).sign("msg_1", 1, BODY));
  }

  @Test
  void signsWithEd25519ByASeedAloneOrBeforeItsPublicKey() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] seed = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();

    for (byte[] key : List.of(seed, Arrays.copyOf(seed, 64))) {
      String text = "whsk_" + Base64.getEncoder().encodeToString(key);
      String signed = SigningKeys.parse(List.of(text)).sign("msg_1", 1, BODY);
      Signature verifier = Signature.getInstance("Ed25519");
      verifier.initVerify(pair.getPublic());
      verifier.update("msg_1.1.{\"a\":1}".getBytes(UTF_8));

      assertThat(signed).startsWith("v1a,");
      assertThat(verifier.verify(Base64.getDecoder().decode(signed.substring(4)))).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "whsec_", "whsec_%%%%", "whsec_c2hvcnQ=", "whsk_c2hvcnQ="})
  void refusesAKeyThatIsNoneWithoutShowingIt(String secret) {
    assertThatThrownBy(() -> SigningKeys.parse(List.of(secret)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .message()
        .doesNotContain("%%%", "c2hvcnQ");
  }

  @Test
  void refusesNoKeyAndMoreThanTwoOfEachKind() {
    assertThatThrownBy(() -> SigningKeys.parse(List.of()))
        .hasMessage("secrets of an endpoint must be 1 to 4, got 0");
    assertThatThrownBy(
            () -> SigningKeys.parse(Stream.generate(WebhookEndpoint::newSecret).limit(5).toList()))
        .hasMessage("secrets of an endpoint must be 1 to 4, got 5");
  }

  @Test
  void showsNoSecret() {
    WebhookEndpoint endpoint =
        WebhookEndpoint.of(
            "acme",
            "billing",
            java.net.URI.create("https://example.com/hooks/tOkEn"),
            WebhookDatabase.SECRET);

    assertThat(endpoint + " " + endpoint.target())
        .contains("example.com")
        .doesNotContain("tOkEn", WebhookDatabase.SECRET.substring(6));
  }
}
