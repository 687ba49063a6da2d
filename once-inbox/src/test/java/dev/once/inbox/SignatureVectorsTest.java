package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Published constants; SOURCE.txt next to them lists their origin. */
class SignatureVectorsTest {
  record Vector(String scheme, String name, Provider provider, Delivery delivery, boolean valid) {
    @Override
    public String toString() {
      return scheme + " " + name;
    }
  }

  @ParameterizedTest
  @MethodSource
  void verifiesAsPublished(Vector vector) {
    Instant signed =
        vector
            .delivery()
            .header("webhook-timestamp")
            .map(it -> Instant.ofEpochSecond(Long.parseLong(it)))
            .orElse(Sent.NOW);

    DeliveryCheck deliveryCheck = Sent.read(vector.provider(), vector.delivery(), signed);

    boolean isRefused =
        deliveryCheck instanceof DeliveryCheck.Answered answered
            && answered.webhookResponse().status() == 401;
    assertThat(isRefused).isNotEqualTo(vector.valid());
  }

  @Test
  void knowsEverySchemeOfTheVectors() throws IOException {
    assertThat(verifiesAsPublished()).hasSize(15);
  }

  static Stream<Vector> verifiesAsPublished() throws IOException {
    try (InputStream file =
        SignatureVectorsTest.class.getResourceAsStream("/webhook-signatures/vectors.json")) {
      JsonNode vectors = new JsonMapper().readTree(Objects.requireNonNull(file)).path("vectors");
      return vectors.valueStream().map(SignatureVectorsTest::vector).toList().stream();
    }
  }

  private static Vector vector(JsonNode it) {
    String scheme = it.path("scheme").stringValue("");
    String secret = it.path("secret").stringValue("");
    List<String> headers = new ArrayList<>();
    it.path("headers")
        .forEachEntry((name, value) -> headers.addAll(List.of(name, value.asString())));
    return new Vector(
        scheme,
        it.path("name").stringValue(""),
        provider(scheme, secret),
        Sent.post(it.path("body").stringValue(""), headers.toArray(String[]::new)),
        it.path("valid").booleanValue());
  }

  private static Provider provider(String scheme, String secret) {
    if (scheme.equals("standard-webhooks")) {
      return Provider.standardWebhooks("acme", secret);
    }
    return scheme.equals("stripe-signature")
        ? Provider.stripe("acme", secret)
        : Provider.gitHub("acme", secret);
  }
}
