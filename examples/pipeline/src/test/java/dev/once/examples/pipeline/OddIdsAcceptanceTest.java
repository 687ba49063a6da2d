package dev.once.examples.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.ProcessedEvent;
import dev.once.examples.pipeline.CommandSender.Answer;
import dev.once.s3.S3EventStore;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Instances whose ids other systems would take for the same, or for something else. */
class OddIdsAcceptanceTest {
  private static final PipelineStage STAGE = PipelineStage.shared();

  private static final List<String> IDS =
      List.of(
          "odd",
          "Odd",
          "ODD", // case
          " odd",
          "odd ",
          "o dd",
          "o  dd",
          "odd\t",
          "odd\n",
          "odd\u00a0", // white space
          "odd/1",
          "odd//1",
          "odd%2F1",
          "odd%252F1",
          "odd\\1",
          "odd:1",
          "odd|1",
          "odd.1", // separators
          "odd-1",
          "odd_1",
          "odd~1",
          "odd,1",
          "odd;1",
          "odd#1",
          "odd?1",
          "odd&a=1",
          "odd+1",
          "instance/odd",
          "../odd",
          "odd/../odd", // paths
          "odd'1",
          "odd\"1",
          "odd`1",
          "odd*1",
          "odd$1",
          "odd{1}",
          "odd%",
          "odd<1>", // quoting
          Normalizer.normalize("ödd", Normalizer.Form.NFC),
          Normalizer.normalize("ödd", Normalizer.Form.NFD),
          "Ödd",
          "oedd",
          "odd ss",
          "odd ß",
          "odd i",
          "odd ı",
          "odd İ", // letters
          "odd Ω",
          "odd \u2126",
          "odd ﬁ",
          "odd fi",
          "odd １", // compatibility forms
          "odd\u200b",
          "odd\u200d",
          "\ufeffodd",
          "odd\u202e", // without a width
          "odd 🛢",
          "odd 奇",
          "o".repeat(500) + "a",
          "o".repeat(500) + "b");

  @AfterAll
  static void theReadModelIsAFoldOverTheEvents() throws Exception {
    STAGE.requireReadModelIsFold();
  }

  @Test
  void keepsInstancesApartFromTheCommandToEverySink() throws Exception {
    for (int i = 0; i < IDS.size(); i++) {
      create(i);
    }
    for (int i = 0; i < IDS.size(); i++) {
      update(i);
    }
    Eventually.until("all are published", () -> isPublished(IDS.size() - 1));
    STAGE.awaitConsumed();

    assertThatTheLogHasBothEventsOfEach();
    assertThatTheRegistryHasAnAggregateOfEach();
    for (int i = 0; i < IDS.size(); i++) {
      assertThatSinksHaveIt(IDS.get(i), "changed " + i);
    }
  }

  private static void create(int i) throws InterruptedException {
    ObjectNode state = PipelineStage.state(IDS.get(i), 1).put(State.NAME, "created " + i);
    Answer answer = STAGE.commands().create(Kind.INSTANCE, "odd-create-" + i, state);
    assertThat(answer.status()).as("create %s: %s", IDS.get(i), answer).isEqualTo(201);
    assertThat(answer.json().path("seq").asLong(0)).as("%s", IDS.get(i)).isEqualTo(1);
  }

  private static void update(int i) throws InterruptedException {
    String id = IDS.get(i);
    ObjectNode state = PipelineStage.state(id, 2).put(State.NAME, "changed " + i);
    Answer answer = STAGE.commands().update(Kind.INSTANCE, "odd-update-" + i, id, state, 1);
    assertThat(answer.status()).as("update %s: %s", id, answer).isEqualTo(200);
    assertThat(answer.json().path("seq").asLong(0)).as("%s", id).isEqualTo(2);
    assertThat(answer.json().path("id").asString()).isEqualTo(id);
  }

  private static boolean isPublished(int i) {
    return STAGE.topics().count(Topics.INSTANCES, "odd-update-" + i) > 0;
  }

  private static void assertThatTheLogHasBothEventsOfEach() {
    try (HikariDataSource database = STAGE.environment().openDatabase();
        S3Client s3 = STAGE.environment().openS3()) {
      S3EventStore store = STAGE.environment().store(s3, database);
      for (int i = 0; i < IDS.size(); i++) {
        assertThat(store.read(new Aggregate(Kind.INSTANCE.text(), IDS.get(i)), 0, 10))
            .as("%s", IDS.get(i))
            .extracting(Event::id)
            .containsExactly("odd-create-" + i, "odd-update-" + i);
      }
    }
  }

  private static void assertThatTheRegistryHasAnAggregateOfEach() {
    for (Role role : PipelineStage.WORKERS) {
      Set<String> aggregates = new HashSet<>();
      for (int i = 0; i < IDS.size(); i++) {
        ProcessedEvent event = STAGE.processed(role, "odd-update-" + i);
        aggregates.add(event.aggregate());
        assertThat(STAGE.lastSequence(role, IDS.get(i))).as("%s", IDS.get(i)).isEqualTo(2);
      }
      assertThat(aggregates).hasSize(IDS.size());
    }
  }

  private static void assertThatSinksHaveIt(String id, String name) throws Exception {
    assertThat(STAGE.sinks().graphChanges(id)).as("%s", id).containsExactly(1L, 2L);
    JsonNode document = STAGE.sinks().graphDocument(id);
    assertThat(document.path("id").asString()).isEqualTo(id);
    assertThat(document.path(State.NAME).asString()).isEqualTo(name);
    assertThat(STAGE.sinks().nodeChanges(id)).as("%s", id).containsExactly(1L, 2L);
    assertThat(STAGE.sinks().nodeName(id)).isEqualTo(name);
    JsonNode hit = STAGE.sinks().searchDocument(id);
    assertThat(hit.path("_version").asLong(0)).isEqualTo(2);
    assertThat(hit.at("/_source/id").asString()).isEqualTo(id);
    assertThat(hit.at("/_source/name").asString()).isEqualTo(name);
  }
}
