package dev.once.bench;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.postgresql.ds.PGSimpleDataSource;

/** A process that works for a job queue until it is killed. Each job inserts a row. */
final class JobWorker {
  private static final String URL = "DATABASE_URL";
  private static final String USER = "DATABASE_USER";
  private static final String PASSWORD = "DATABASE_PASSWORD";

  private JobWorker() {}

  /** Starts a process for the queue of {@code contestant}. */
  static JavaProcess start(JobContestant contestant, PGSimpleDataSource database, int threads)
      throws IOException {
    return JavaProcess.start(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            JobWorker.class.getName(),
            contestant.name(),
            Integer.toString(threads)),
        Map.of(
            URL, database.getURL(),
            USER, Objects.requireNonNull(database.getUser()),
            PASSWORD, Objects.requireNonNull(database.getPassword())));
  }

  public static void main(String[] arguments) throws InterruptedException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(System.getenv(URL));
    source.setUser(System.getenv(USER));
    source.setPassword(System.getenv(PASSWORD));
    int threads = Integer.parseInt(arguments[1]);
    BenchDatabase database = new BenchDatabase(source, threads);
    JobQueue queue = JobContestant.valueOf(arguments[0]).over(database, threads);
    JobWorkers workers = queue.start(new JobRows(database));
    try (workers) {
      new CountDownLatch(1).await();
    }
  }
}
