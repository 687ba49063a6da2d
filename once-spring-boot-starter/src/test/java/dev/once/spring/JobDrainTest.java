package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.JobShop.Desk;
import dev.once.spring.JobShop.Handlers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What happens to running jobs when their application stops. */
@Timeout(60)
class JobDrainTest {
  private final Gate gate = new Gate();

  @Test
  void waitsForTheJobsThatRun() {
    App app = App.start(JobShop.class);
    holdUp(app, "boots");

    CompletableFuture<Void> closed = CompletableFuture.runAsync(app::close);
    Polling.until(app::isClosing, it -> it);
    gate.open();
    closed.join();

    assertThat(app.job("boots")).isEqualTo("done");
    assertThat(app.orders("boots")).isEqualTo(1);
  }

  @Test
  void handsBackAJobThatTakesTooLong() {
    PGSimpleDataSource database = App.newDatabase();
    App app = App.start(JobShop.class, database, "once.jobs.drain=50ms");
    holdUp(app, "gloves");
    app.close();

    assertThat(app.job("gloves")).isEqualTo("ready");
    assertThat(app.orders("gloves")).isZero();
    try (App next = App.start(JobShop.class, database)) {
      next.awaitJob("gloves", "done");
      assertThat(next.orders("gloves")).isEqualTo(1);
    }
  }

  @Test
  void leavesJobsToOthersWhereThereAreNoWorkers() {
    PGSimpleDataSource database = App.newDatabase();
    try (App app = App.start(JobShop.class, database, "once.jobs.workers=false")) {
      app.bean(Desk.class).take(JobShop.place("hat"));

      assertThat(app.isRunning(JobWorkers.class)).isFalse();
      assertThat(app.job("hat")).isEqualTo("ready");
      try (App worker = App.start(JobShop.class, database)) {
        worker.awaitJob("hat", "done");
      }
    }
  }

  private void holdUp(App app, String item) {
    app.bean(Handlers.class).afterwards.put(item, run -> gate.pass());
    app.bean(Desk.class).take(JobShop.place(item));
    gate.awaitEntered();
  }
}
