package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.once.embedded.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * While the database is unavailable nothing is executed, and afterwards the same key still works.
 */
class OutageTest {
  private static final EmbeddedPostgres POSTGRES = EmbeddedPostgres.builder().start();
  private static final PlanningServer SERVER =
      PlanningServer.start(
          POSTGRES.newDatabase("planning_outage"),
          Map.of(
              "spring.datasource.hikari.connection-timeout", "1000",
              "spring.datasource.hikari.minimum-idle", "1",
              "logging.level.root", "off"));

  private final Api api = planner();
  private final Reply project = api.newProject();
  private final String key = Api.randomId();

  @AfterAll
  static void stop() {
    SERVER.close();
    POSTGRES.close();
  }

  @Test
  void asksForPatienceAndExecutesNothing() {
    POSTGRES.stop();
    Reply refused = create();
    POSTGRES.restart();

    refused.expectProblem(503, "planning.service_unavailable");
    assertThat(refused.header("Retry-After")).isEqualTo("1");
    assertThat(missionsSoon()).isZero();
    assertThat(answer().header("Idempotency-Replayed")).isEmpty();
    assertThat(count("mission")).isEqualTo(1);
  }

  @Test
  void asksForPatienceWhenTheRecordsAloneAreAway() {
    SERVER.database().sql("ALTER TABLE once_record RENAME TO once_record_away").update();
    Reply refused = create();
    Reply read = api.get(project.location());
    SERVER.database().sql("ALTER TABLE once_record_away RENAME TO once_record").update();

    refused.expectProblem(503, "idempotency.store_unavailable");
    assertThat(refused.header("Retry-After")).isEqualTo("1");
    read.expect(200);
    assertThat(count("mission")).isZero();
    assertThat(create().expect(201).header("Idempotency-Replayed")).isEmpty();
  }

  @Test
  void replaysWhatWasCommittedBeforeACrash() {
    Reply first = create().expect(201);

    POSTGRES.kill();
    POSTGRES.restart();

    Reply replay = answer();
    assertThat(replay.body()).isEqualTo(first.body());
    assertThat(replay.header("Idempotency-Replayed")).isEqualTo("true");
  }

  @Test
  void executesOnceWhenTheDatabaseIsKilledBetweenClaimAndAnswer() throws Exception {
    try (ConcurrentCalls calls = new ConcurrentCalls()) {
      HeldRow held = HeldRow.of(SERVER, "project", project);
      Future<Reply> first = calls.start(this::create);
      held.awaitWaiting(1);
      POSTGRES.kill();
      POSTGRES.restart();
      assertThat(catchThrowable(held::close)).isNotNull(); // The lock ended with the server.

      ConcurrentCalls.answerOf(first).expect(503);
      Reply answer = answer();
      assertThat(create().body()).isEqualTo(answer.body());
      assertThat(count("mission")).isEqualTo(1);
    }
  }

  @Test
  void executesOnceHoweverOftenTheDatabaseIsKilled() throws Exception {
    List<String> keys = new ArrayList<>();
    try (ConcurrentCalls calls = new ConcurrentCalls()) {
      for (int kill = 0; kill < 2; kill++) {
        List<Future<Reply>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          String own = Api.randomId();
          keys.add(own);
          answers.add(calls.start(() -> answer(own)));
        }
        ConcurrentCalls.answerOf(answers.get(kill)); // The others may be at any point.
        POSTGRES.kill();
        POSTGRES.restart();
        for (Future<Reply> answer : answers) {
          ConcurrentCalls.answerOf(answer);
        }
      }
    }

    assertThat(count("mission")).isEqualTo(keys.size());
    assertThat(count("once_record")).isEqualTo(keys.size() + 1);
    keys.forEach(it -> assertThat(create(it).header("Idempotency-Replayed")).isEqualTo("true"));
  }

  private Reply create() {
    return create(key);
  }

  private Reply create(String own) {
    return api.post(project.location() + "/missions", MissionTest.BODY, Api.KEY, own);
  }

  /** Sends the request with the same key until it is answered, as a client does. */
  private Reply answer() {
    return answer(key);
  }

  private Reply answer(String own) {
    Reply answer = Polling.until(() -> create(own), it -> it.status() != 503 && it.status() != 409);
    return answer.expect(201);
  }

  /** Returns the number of missions, as soon as the database is available. */
  private int missionsSoon() {
    Polling.until(() -> api.get(project.location()), it -> it.status() == 200);
    return count("mission");
  }

  private static Api planner() {
    SERVER.forgetConnections();
    return SERVER.planner();
  }

  /** Counts rows with new connections, since the test does not retry after a dead one. */
  private int count(String table) {
    SERVER.forgetConnections();
    return SERVER.count(table, api);
  }
}
