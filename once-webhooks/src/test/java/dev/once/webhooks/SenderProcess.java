package dev.once.webhooks;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jobs.Handler;
import dev.once.jobs.Jobs;
import dev.once.jobs.Queue;
import dev.once.jobs.Workers;
import dev.once.testkit.Program;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process that sends what is committed, until it is killed. */
@SuppressWarnings("try") // Workers work until they are closed.
final class SenderProcess {
  /** Until another process does the work of one that was killed. */
  private static final Duration LEASE = Duration.ofSeconds(2);

  private SenderProcess() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    try (HikariDataSource pool = WebhookDatabase.pool(Program.database(args));
        Jobs jobs = Jobs.over(pool);
        Once once = Once.over(JdbcRecordStore.over(pool))) {
      WebhookSender sender =
          WebhookSender.builder(pool, jobs)
              .http(WebhookDatabase.LOCAL)
              .retries(WebhookDatabase.FAST)
              .build();
      Workers.Builder workers =
          Workers.over(jobs)
              .queue(Queue.named(WebhookSender.QUEUE).withLease(LEASE))
              .pollInterval(Duration.ofMillis(50));
      Handler handler = sender.handler(once).withTerms(Handler.TERMS.withLease(LEASE));
      workers.handle(WebhookSender.QUEUE, MessageKey.TYPE, handler);
      try (Workers running = workers.start()) {
        System.out.println("started");
        new CountDownLatch(1).await();
      }
    }
  }
}
