package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.once.Key;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is logged by an application in each format of Spring Boot. The application has an MDC of its
 * own: {@link LoggingApplication#CONTEXT}.
 */
class LogFormatTest {
  private static final String HASH = new Key("t", "s", "secret-key").shortHash();

  private static final Map<String, List<String>> OUTPUTS = new HashMap<>();

  /** Of requests that are answered again, in progress, and answered again under a taken name. */
  private static final List<String> EVENTS =
      List.of(
          "idempotency_cache_hit",
          "audit.replay",
          "idempotency_concurrent_request",
          "idempotency_cache_hit",
          "audit.replay",
          "idempotency_cache_hit",
          "audit.replay");

  // A25, A26, A29, D12
  @Test
  void showsEveryFieldInTheMessage() throws Exception {
    List<String> lines = lines();

    String about =
        " tenant=acme actor=\"ann lee\" key_hash=%s endpoint=\"POST /%s/{id}\" status=%d";
    String order = about.formatted(HASH, "orders", 201);
    assertThat(lines).hasSameSizeAs(EVENTS).noneMatch(line -> line.contains("secret-key"));
    assertThat(lines.get(0))
        .contains(
            " INFO ",
            "idempotency_cache_hit" + order + " replayed=true cached_status=201 cached_at=2");
    assertThat(lines.get(1))
        .contains(" INFO ")
        .endsWith("audit.replay" + order + " audit_id=audit-7 request_id=r-1");
    assertThat(lines.get(2))
        .contains(" WARN ")
        .endsWith(
            "idempotency_concurrent_request"
                + about.formatted(HASH, "duplicated", 409)
                + " replayed=false request_id=r-1");
  }

  /**
   * Boot loses a line that has a name twice.
   *
   * @param ours how a field of Once is found
   * @param other how a name of the MDC is found
   */
  @ParameterizedTest
  @CsvSource({
    "ecs, /once/, /, /log/level, /message",
    "gelf, /_once., /_, /_level_name, /short_message",
    "logstash, /once., /, /level, /message"
  })
  void hasEveryFieldBesideTheMdc(
      String format, String ours, String other, String level, String message) throws Exception {
    List<JsonNode> lines = json(format);

    assertThat(lines).hasSameSizeAs(EVENTS);
    for (int i = 0; i < EVENTS.size(); i++) {
      JsonNode line = lines.get(i);
      String event = EVENTS.get(i);
      assertThat(line.at(message).asString()).startsWith(event + " tenant=acme actor=");
      assertThat(line.at(level).asString())
          .isEqualTo(event.contains("concurrent") ? "WARN" : "INFO");
      assertThat(line.at(other + "tenant").asString()).isEqualTo("its-own-tenant");
      assertThat(line.at(other + "request_id").asString()).isEqualTo("its-own-request");
    }
    JsonNode hit = lines.get(0);
    assertThat(hit.at(ours + "event").asString()).isEqualTo("idempotency_cache_hit");
    assertThat(hit.at(ours + "tenant").asString()).isEqualTo("acme");
    assertThat(hit.at(ours + "actor").asString()).isEqualTo("ann lee");
    assertThat(hit.at(ours + "key_hash").asString()).isEqualTo(HASH);
    assertThat(hit.at(ours + "endpoint").asString()).isEqualTo("POST /orders/{id}");
    assertThat(hit.at(ours + "status").asInt()).isEqualTo(201);
    assertThat(hit.at(ours + "replayed").asBoolean()).isTrue();
    assertThat(hit.at(ours + "cached_status").asInt()).isEqualTo(201);
    assertThat(Instant.parse(hit.at(ours + "cached_at").asString()))
        .isCloseTo(Instant.now(), within(1, ChronoUnit.HOURS));
    assertThat(lines.get(1).at(ours + "audit_id").asString()).isEqualTo("audit-7");
    assertThat(lines.get(2).at(ours + "status").asInt()).isEqualTo(409);
  }

  @ParameterizedTest
  @CsvSource({"ecs, /once, /once/", "gelf, /_once, /_once.", "logstash, /once, /once."})
  void leavesTheNameOnceToAServiceThatUsesIt(String format, String group, String ours)
      throws Exception {
    List<JsonNode> lines = json(format);

    assertThat(lines.get(3).at(group).asString()).isEqualTo("its-own");
    assertThat(lines.get(5).at(ours + "tenant").asString()).isEqualTo("its-own");
    assertThat(lines.get(5).at(ours + "event").isMissingNode()).isTrue();
  }

  private static List<JsonNode> json(String format) throws Exception {
    String setting = "--logging.structured.format.console=" + format;
    return lines(setting).stream().map(new JsonMapper()::readTree).toList();
  }

  /** What the application prints; started once for each format. */
  private static synchronized List<String> lines(String... settings) throws Exception {
    String key = String.join(" ", settings);
    List<String> known = OUTPUTS.get(key);
    if (known == null) {
      String classPath = System.getProperty("java.class.path");
      known =
          ApplicationProcess.output(LoggingApplication.class, classPath, settings).lines().toList();
      OUTPUTS.put(key, known);
    }
    return known;
  }
}
