package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * The service is killed repeatedly while clients write; each client repeats a key until it is
 * answered. {@code -Donce.kills} sets the number of kills, and {@code -Donce.kill.seed} their
 * times.
 */
class KillTest {
  private static final int KILLS = Integer.getInteger("once.kills", 2);
  private static final long SEED = Long.getLong("once.kill.seed", System.nanoTime());
  private static final int CLIENTS = 4;
  private static final int MAX_ANSWERS_BEFORE_KILL = 60;
  private static final int MAX_NANOS_BEFORE_KILL = 20_000_000;

  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();
  private final Reply project = api.newProject();
  private final Map<String, Reply> answers = new ConcurrentHashMap<>();
  private volatile URI target = server.url();
  private volatile boolean isOver;

  @Test
  void everyKeyHasOneEffectAndEveryAnswerStands() throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> writing = new ArrayList<>();
      killWhile(
          () -> {
            for (int i = 0; i < CLIENTS; i++) {
              writing.add(clients.submit(this::write));
            }
          });
      for (Future<?> client : writing) {
        client.get();
      }
    } finally {
      isOver = true;
      clients.shutdownNow();
    }

    assertThat(server.count("mission", api)).as("seed %d", SEED).isEqualTo(answers.size());
    assertThat(server.count("audit_event", api)).isEqualTo(answers.size() + 1);
    assertThat(server.count("once_record", api)).isEqualTo(answers.size() + 1);
    expectJobsDone();
    answers.forEach(
        (key, answer) -> {
          Reply replay = Polling.until(() -> tryCreate(api, key), it -> it.status() != 0);
          assertThat(replay.header("Idempotency-Replayed")).isEqualTo("true");
          assertThat(replay.body()).isEqualTo(answer.body());
          assertThat(replay.location()).isEqualTo(answer.location());
        });
  }

  /** Checks that every write has two jobs, and that all of them are completed. */
  private void expectJobsDone() {
    server.awaitJobs(api);
    assertThat(server.jobs(api)).doesNotHaveDuplicates().hasSize(2 * (answers.size() + 1));
    assertThat(server.count("search_entry", api)).isEqualTo(answers.size() + 1);
    Reply dashboard = api.get(project.location() + "/dashboard").expect(200);
    assertThat(dashboard.json().at("/missions/planned").asInt()).isEqualTo(answers.size());
  }

  private void killWhile(Runnable start) throws Exception {
    Random random = new Random(SEED);
    try (ServiceProcess service = ServiceProcess.start(server.source())) {
      target = service.url();
      start.run();
      for (int i = 0; i < KILLS; i++) {
        int enough = answers.size() + 1 + random.nextInt(MAX_ANSWERS_BEFORE_KILL);
        Polling.until(answers::size, it -> it >= enough);
        LockSupport.parkNanos(random.nextInt(MAX_NANOS_BEFORE_KILL));
        service.kill();
        if (i < KILLS - 1) {
          service.startAgain();
        }
      }
      // Unanswered requests are now sent to another node.
      target = server.url();
      isOver = true;
    }
  }

  private void write() {
    while (!isOver) {
      String key = Api.randomId();
      Reply answer =
          Polling.until(
              () -> tryCreate(new Api(target, api.token(), api.tenant()), key),
              it -> it.status() != 0 && it.status() != 409);
      answers.put(key, answer.expect(201));
    }
  }

  /** Returns a reply with status 0 if there is no answer: the service was killed, or was idle. */
  private Reply tryCreate(Api there, String key) {
    try {
      return there.post(project.location() + "/missions", MissionTest.BODY, Api.KEY, key);
    } catch (UncheckedIOException e) {
      return new Reply(0, HttpHeaders.of(Map.of(), (name, value) -> true), "");
    }
  }
}
