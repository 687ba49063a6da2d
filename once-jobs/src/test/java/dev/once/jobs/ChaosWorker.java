package dev.once.jobs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.Once;
import dev.once.StoreException;
import dev.once.jdbc.JdbcRecordStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A process that works on the jobs of the chaos until its standard input ends, at the latest with
 * the process that started it. Prints the troubles it meets.
 */
final class ChaosWorker {
  /** Marks an uncaught exception. There must be none. */
  static final String UNCAUGHT = "uncaught:";

  private static final int SLOTS = 3;

  /** Fewer than the slots and the background tasks that need a connection. */
  private static final int POOL = 10;

  private static final int WORLD_POOL = 3;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private ChaosWorker() {}

  /** Arguments: URL of the database, URL of the world, user. Standard input has the password. */
  public static void main(String[] args) throws IOException {
    Thread.setDefaultUncaughtExceptionHandler(ChaosWorker::report);
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String password = String.valueOf(in.readLine());
    try (HikariDataSource database = pool(args[0], args[2], password, POOL);
        HikariDataSource world = pool(args[1], args[2], password, WORLD_POOL)) {
      run(database, world, in);
    }
  }

  private static void run(HikariDataSource database, HikariDataSource world, BufferedReader in)
      throws IOException {
    try (Jobs jobs = untilReached(Jobs.builder(database).listener(ChaosWorker::report)::build);
        Once once = Once.over(untilReached(() -> JdbcRecordStore.over(database)))) {
      ChaosHandlers handlers = new ChaosHandlers(jobs, once, world);
      Workers.Builder workers = Workers.over(jobs).pollInterval(Duration.ofMillis(200));
      for (ChaosKind kind : ChaosKind.values()) {
        Queue queue = Queue.named(kind.queue());
        workers.queue(queue.withSlots(SLOTS).withLease(ChaosHandlers.LEASE));
        workers.handle(kind.queue(), kind.type(), handlers.of(kind));
      }
      Workers working = workers.start();
      in.readLine(); // No second line is written: this returns at the end of the input.
      working.close();
    }
  }

  /** Retries, because the database may be unreachable now. */
  private static <T> T untilReached(Supplier<T> opened) {
    while (true) {
      try {
        return opened.get();
      } catch (StoreException e) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private static HikariDataSource pool(String url, String user, String password, int size) {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setURL(url);
    database.setUser(user);
    database.setPassword(password);
    database.setSocketTimeout((int) PATIENCE.multipliedBy(2).toSeconds());
    database.setLoginTimeout((int) PATIENCE.toSeconds());
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(size);
    // A pool that queries it from its first connection, and loses that one, never recovers.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setConnectionTimeout(PATIENCE.toMillis());
    config.setValidationTimeout(PATIENCE.toMillis() / 4);
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  private static void report(JobEvent event) {
    if (event instanceof JobEvent.Trouble it) {
      System.out.println("trouble: " + it.what() + ": " + it.cause().getMessage());
    }
  }

  private static void report(Thread thread, Throwable uncaught) {
    System.out.println(UNCAUGHT + " in " + thread.getName());
    uncaught.printStackTrace(System.out);
  }
}
