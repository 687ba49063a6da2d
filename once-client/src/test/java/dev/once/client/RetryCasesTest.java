package dev.once.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The table of retry cases, which the clients in other languages test too. */
class RetryCasesTest {
  private static final Path CASES = Path.of("..", "clients", "retry-cases.json");

  @TestFactory
  Stream<DynamicTest> cases() throws Exception {
    JsonNode cases = JsonMapper.shared().readTree(Files.readString(CASES));
    return StreamSupport.stream(cases.spliterator(), false)
        .map(
            it ->
                DynamicTest.dynamicTest(
                    it.path("rules").asString()
                        + " "
                        + it.path("status").asString("")
                        + ": "
                        + it.path("name").asString(),
                    () -> check(it)));
  }

  private static void check(JsonNode it) {
    RetryRules rules = RetryRules.named(it.path("rules").asString());

    Decision decision = rules.decide(it.path("method").asString(), outcome(it));

    JsonNode expected = it.path("expect");
    switch (expected.path("decision").asString()) {
      case "done" ->
          assertThat(decision).isEqualTo(new Decision.Done(expected.path("replayed").asBoolean()));
      case "retry" -> assertThat(decision).isEqualTo(new Decision.Retry(atLeast(expected)));
      case "follow" ->
          assertThat(((Decision.Follow) decision).atLeast()).isEqualTo(atLeast(expected));
      case "refused" ->
          assertThat(decision)
              .isEqualTo(new Decision.Refused(Advice.valueOf(expected.path("advice").asString())));
      case "unknown" ->
          assertThat(decision)
              .isEqualTo(new Decision.Unknown(Advice.valueOf(expected.path("advice").asString())));
      default -> throw new AssertionError("unhandled decision of " + it);
    }
  }

  private static Duration atLeast(JsonNode expected) {
    return Duration.ofMillis(expected.path("atLeastMillis").asLong());
  }

  private static AttemptOutcome outcome(JsonNode it) {
    if (!it.has("status")) {
      return new AttemptOutcome(
          Optional.empty(),
          Optional.of(it.path("failure").asString()),
          it.path("sent").asBoolean());
    }
    Map<String, List<String>> headers = new HashMap<>();
    it.path("headers")
        .properties()
        .forEach(header -> headers.put(header.getKey(), List.of(header.getValue().asString())));
    String code = it.path("code").asString("");
    String body = code.isEmpty() ? "" : "{\"code\":\"" + code + "\"}";
    return AttemptOutcome.answered(
        new Answer(
            it.path("status").asInt(), headers, body.getBytes(StandardCharsets.UTF_8), true));
  }
}
