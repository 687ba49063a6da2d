package dev.once.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.InMemoryRecordStore;
import dev.once.Terms;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The description itself. What it says of requests and answers is compared by all other tests. */
class OpenApiTest {
  /** Refused before a path is known, so no path describes them. */
  private static final Set<String> OF_NO_PATH =
      Set.of("claims.path_unknown", "claims.method_refused");

  @Test
  void isServedWithoutAuthentication() throws Exception {
    try (ClaimsServer server = new ClaimsServer(new InMemoryRecordStore())) {
      HttpResponse<String> answer =
          Worker.HTTP.send(
              HttpRequest.newBuilder(URI.create(server.uri() + "/openapi.json")).build(),
              BodyHandlers.ofString());

      assertThat(answer.body()).isEqualTo(Description.TEXT);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    }
  }

  @Test
  void refersOnlyToWhatItHas() {
    List<String> references = Description.JSON.findValuesAsString("$ref");

    assertThat(references)
        .isNotEmpty()
        .allSatisfy(
            it -> assertThat(Description.JSON.at(it.substring(1)).isMissingNode()).isFalse());
  }

  @Test
  void namesTheCodeOfEveryProblem() {
    Set<String> named = new TreeSet<>(OF_NO_PATH);
    for (JsonNode codes : Description.JSON.get("components").get("responses").findValues("enum")) {
      codes.forEach(it -> named.add(it.stringValue()));
    }

    assertThat(named)
        .containsExactlyElementsOf(
            new TreeSet<>(Stream.of(Problem.values()).map(it -> it.code()).toList()));
  }

  @Test
  void answersEachProblemWithItsStatus() {
    for (JsonNode path : Description.JSON.get("paths")) {
      JsonNode responses = path.at("/post/responses");
      for (String status : responses.propertyNames()) {
        assertThat(codes(responses.get(status))).allSatisfy(it -> assertStatus(it, status));
      }
    }
  }

  private static List<String> codes(JsonNode response) {
    List<String> codes = new ArrayList<>();
    String reference = response.path("$ref").asString("");
    if (!reference.isEmpty()) {
      Description.JSON
          .at(reference.substring(1))
          .findValues("enum")
          .get(0)
          .forEach(it -> codes.add(it.stringValue()));
    }
    return codes;
  }

  private static void assertStatus(String code, String status) {
    assertThat(Stream.of(Problem.values()).filter(it -> it.code().equals(code)))
        .singleElement()
        .satisfies(it -> assertThat(it.status()).isEqualTo(Integer.parseInt(status)));
  }

  @Test
  void saysTheLimitsAndDefaultsOfTheCode() {
    JsonNode claim = Description.JSON.at("/components/schemas/Claim/properties");

    assertThat(claim.at("/scope/maxLength").intValue()).isEqualTo(ClaimReader.MAX_SCOPE_CHARS);
    assertThat(claim.at("/token/minLength").intValue()).isEqualTo(ClaimReader.MIN_TOKEN_CHARS);
    assertThat(claim.at("/token/maxLength").intValue()).isEqualTo(ClaimReader.MAX_TOKEN_CHARS);
    assertThat(claim.at("/lease_millis/default").longValue())
        .isEqualTo(Terms.DEFAULT.lease().toMillis());
    assertThat(claim.at("/retention_millis/default").longValue())
        .isEqualTo(Terms.DEFAULT.retention().toMillis());
    assertThat(claim.at("/max_attempts/default").intValue()).isEqualTo(Terms.DEFAULT.maxAttempts());
  }
}
