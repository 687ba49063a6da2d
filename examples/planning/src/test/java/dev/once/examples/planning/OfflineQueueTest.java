package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.client.OfflineQueue;
import dev.once.client.OperationState;
import dev.once.client.QueuedOperation;
import dev.once.testkit.Program;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application with a queue on disk creates missions while it is killed and its link fails.
 * {@code -Donce.client.kills=200} kills it more often; {@code -Donce.client.seed} repeats the
 * moments.
 */
class OfflineQueueTest {
  private static final int KILLS = Integer.getInteger("once.client.kills", 4);
  private static final int MISSIONS_PER_KILL = 20;

  /** Each mission has three at least: it is stored, sent and done. */
  private static final int MAX_EVENTS_BEFORE_KILL = 50;

  @TempDir Path folder;
  private final PlanningServer server = PlanningServer.under("mobile");
  private final Api api = server.planner();
  private final String path = api.newProject().location() + "/missions";
  private final long seed = Long.getLong("once.client.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final LossyProxy proxy = new LossyProxy(server.url(), seed);

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void everyOperationIsAppliedOnceThoughTheApplicationIsKilled() throws Exception {
    proxy.heal();
    runAndKill(proxy.url());
  }

  @Test
  void everyOperationIsAppliedOnceThoughTheApplicationIsKilledAndTheLinkFails() throws Exception {
    runAndKill(proxy.url());
    assertThat(proxy.faults()).isPositive();
  }

  private void runAndKill(URI url) throws Exception {
    System.out.println("-Donce.client.seed=" + seed);
    URI missions = url.resolve(path);
    int count = 0;
    for (int i = 0; i < KILLS; i++) {
      count += MISSIONS_PER_KILL;
      try (Program app = start(missions, count)) {
        app.awaitLine("started");
        for (int left = random.nextInt(MAX_EVENTS_BEFORE_KILL); left > 0; left--) {
          app.awaitLine("event");
        }
        app.kill();
      }
    }
    proxy.heal();
    try (OfflineQueue queue = OfflineApp.open(file(), String.valueOf(api.token()), event -> {})) {
      for (int i = queue.list().size(); i < count; i++) {
        queue.enqueue(OfflineApp.mission(missions, i));
      }
      assertThat(queue.drain(Duration.ofSeconds(60))).as("the queue is empty").isTrue();

      List<QueuedOperation> all = queue.list();
      assertThat(all).hasSize(count).allMatch(it -> it.state() == OperationState.DONE);
      assertThat(all).allMatch(it -> queue.hasSucceeded(it.operation().key()));
      assertThat(all).allMatch(it -> it.answer().orElseThrow().status() == 201);
    }
    assertThat(titles()).hasSize(count).doesNotHaveDuplicates();
    System.out.printf("%d kills, %d faults, %d missions created%n", KILLS, proxy.faults(), count);
  }

  private Program start(URI missions, int count) throws Exception {
    return Program.start(
        OfflineApp.class,
        file().toString(),
        missions.toString(),
        String.valueOf(api.token()),
        String.valueOf(count));
  }

  private Path file() {
    return folder.resolve("queue.db");
  }

  private List<String> titles() {
    return server
        .database()
        .sql("SELECT title FROM mission WHERE tenant = :tenant")
        .param("tenant", api.tenant())
        .query((row, number) -> row.getString("title"))
        .list();
  }
}
