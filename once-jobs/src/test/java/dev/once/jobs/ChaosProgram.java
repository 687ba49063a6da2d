package dev.once.jobs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A process of a chaos test. It works until its standard input ends, at the latest with the process
 * that started it, and prints the troubles that it meets.
 */
public final class ChaosProgram {
  /** Marks an uncaught exception. There must be none. */
  static final String UNCAUGHT = "uncaught:";

  private static final int POOL = 10;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private ChaosProgram() {}

  /** What the process does. */
  public interface Work {
    /**
     * Works until {@code end} returns.
     *
     * @param world where effects take place
     */
    void run(HikariDataSource database, HikariDataSource world, End end)
        throws IOException, InterruptedException;
  }

  /** The end of the process's standard input. */
  public interface End {
    void await() throws IOException;
  }

  /**
   * Works with the databases that a {@link ChaosProcess} gives.
   *
   * @param args URL of the database, URL of the world, user; standard input has the password
   */
  public static void run(String[] args, int worldConnections, Work work)
      throws IOException, InterruptedException {
    Thread.setDefaultUncaughtExceptionHandler(ChaosProgram::report);
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String password = String.valueOf(in.readLine());
    try (HikariDataSource database = pool(args[0], args[2], password, POOL);
        HikariDataSource world = pool(args[1], args[2], password, worldConnections)) {
      work.run(database, world, in::readLine); // No second line is written.
    }
  }

  /** Retries, because the database may be unreachable now. */
  public static <T> T untilReached(Supplier<T> opened) {
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

  /** Prints the troubles of workers. */
  public static void report(JobEvent event) {
    if (event instanceof JobEvent.Trouble it) {
      System.out.println("trouble: " + it.what() + ": " + it.cause().getMessage());
    }
  }

  private static void report(Thread thread, Throwable uncaught) {
    System.out.println(UNCAUGHT + " in " + thread.getName());
    uncaught.printStackTrace(System.out);
  }
}
