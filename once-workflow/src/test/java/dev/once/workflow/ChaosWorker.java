package dev.once.workflow;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.jobs.ChaosProgram;
import dev.once.jobs.Jobs;
import dev.once.jobs.Queue;
import dev.once.jobs.Workers;
import java.io.IOException;
import java.time.Duration;

/** Runs the workflows of the chaos. */
final class ChaosWorker {
  static final Duration LEASE = Duration.ofMillis(1500);

  private static final int SLOTS = 6;
  private static final int WORLD_CONNECTIONS = 4;

  private ChaosWorker() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    ChaosProgram.run(args, WORLD_CONNECTIONS, ChaosWorker::run);
  }

  private static void run(HikariDataSource database, HikariDataSource world, ChaosProgram.End end)
      throws IOException {
    Jobs.Builder settings = Jobs.builder(database).listener(ChaosProgram::report);
    try (Jobs jobs = ChaosProgram.untilReached(settings::build);
        Workflows workflows =
            ChaosProgram.untilReached(
                new ChaosWorkflows(world).registered(Workflows.builder(jobs))::build)) {
      Queue queue = Queue.named(WorkflowDatabase.QUEUE).withSlots(SLOTS).withLease(LEASE);
      Workers workers =
          workflows
              .addTo(Workers.over(jobs))
              .queue(queue)
              .pollInterval(Duration.ofMillis(200))
              .start();
      end.await();
      workers.close();
    }
  }
}
