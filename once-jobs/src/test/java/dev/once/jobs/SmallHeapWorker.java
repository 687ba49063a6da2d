package dev.once.jobs;

import java.util.concurrent.CountDownLatch;
import org.postgresql.ds.PGSimpleDataSource;

/** The process of {@link SmallHeapTest}: completes all jobs of the queue mail, and ends. */
@SuppressWarnings("try") // Workers work until they are closed.
final class SmallHeapWorker {
  private SmallHeapWorker() {}

  /** Takes the URL of the database, its user, its password and the number of jobs. */
  public static void main(String[] args) throws InterruptedException {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setURL(args[0]);
    database.setUser(args[1]);
    database.setPassword(args[2]);
    CountDownLatch left = new CountDownLatch(Integer.parseInt(args[3]));
    JobListener listener =
        event -> {
          if (event instanceof JobEvent.Completed) {
            left.countDown();
          } else if (event instanceof JobEvent.Trouble it) {
            System.out.println(it);
          }
        };
    try (Jobs jobs = Jobs.builder(database).listener(listener).build();
        Workers workers =
            Workers.over(jobs)
                .handle("mail", "welcome", Handler.transactional((run, connection) -> {}))
                .start()) {
      left.await();
      System.out.println("completed all");
    }
  }
}
