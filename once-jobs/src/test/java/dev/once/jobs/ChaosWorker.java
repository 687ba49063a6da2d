package dev.once.jobs;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.io.IOException;
import java.time.Duration;

/** Works on the jobs of the chaos, and enqueues some. */
final class ChaosWorker {
  /** With those of the background tasks, more than the pool has connections. */
  private static final int SLOTS = 3;

  private static final int WORLD_CONNECTIONS = 3;

  private ChaosWorker() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    ChaosProgram.run(args, WORLD_CONNECTIONS, ChaosWorker::run);
  }

  private static void run(HikariDataSource database, HikariDataSource world, ChaosProgram.End end)
      throws IOException, InterruptedException {
    FrameworkTransactions transactions = new FrameworkTransactions(database);
    Jobs.Builder settings =
        Jobs.builder(database).transactions(transactions).listener(ChaosProgram::report);
    try (Jobs jobs = ChaosProgram.untilReached(settings::build);
        Once once = Once.over(ChaosProgram.untilReached(() -> JdbcRecordStore.over(database)))) {
      ChaosHandlers handlers = new ChaosHandlers(jobs, once, world);
      Workers.Builder workers = Workers.over(jobs).pollInterval(Duration.ofMillis(200));
      for (ChaosKind kind : ChaosKind.values()) {
        Queue queue = Queue.named(kind.queue());
        workers.queue(queue.withSlots(SLOTS).withLease(ChaosHandlers.LEASE));
        workers.handle(kind.queue(), kind.type(), handlers.of(kind));
      }
      Workers working = workers.start();
      ChaosCaller caller = new ChaosCaller(jobs, transactions);
      Thread calling = new Thread(caller, "caller");
      calling.setDaemon(true);
      calling.start();
      end.await();
      working.close();
      caller.stop();
      calling.join();
    }
  }
}
