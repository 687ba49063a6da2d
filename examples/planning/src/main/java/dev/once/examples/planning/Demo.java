package dev.once.examples.planning;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the planning API with everything that it needs: {@code ./once demo}. The script itself
 * prints the help, so that reading it needs no build.
 */
@Command(name = "demo")
final class Demo implements Callable<Integer> {
  private static final int REFUSED = 1;
  private static final int MISUSED = 2;

  @Option(names = "--port")
  private int port = 8080;

  @Option(names = "--contract")
  private String contract = "strict";

  @Option(names = "--fresh")
  private boolean fresh;

  @Option(names = "--folder")
  private Path folder = Path.of(System.getProperty("once.folder", ".once"));

  @Option(names = "--database-url")
  private @Nullable String databaseUrl;

  @Option(names = "--database-user")
  private @Nullable String databaseUser = System.getenv("DATABASE_USER");

  @Option(names = "--database-password")
  private @Nullable String databasePassword = System.getenv("DATABASE_PASSWORD");

  /** Runs the demo until a signal ends it; returns an exit code if it cannot run. */
  static int run(String... arguments) {
    var demo = new Demo();
    return new CommandLine(demo)
        .setParameterExceptionHandler((failure, given) -> misused(failure))
        .setExecutionExceptionHandler((failure, line, given) -> demo.refused(failure))
        .execute(arguments);
  }

  @Override
  public Integer call() {
    var files = new DemoFolder(folder);
    var door = new DemoPort(port);
    var run = new DemoRun(files, DemoContract.named(contract), door, System.out);
    Supplier<DemoDatabase> database = database(files);
    files.requireWritable();
    door.requireFree();
    run.start(database, "Ctrl-C stops it; " + whereDataStays());
    run.waitForTheEnd();
    return 0;
  }

  private Supplier<DemoDatabase> database(DemoFolder files) {
    String url = databaseUrl;
    if (url == null) {
      return () -> DemoDatabase.embedded(files.data(), fresh);
    }
    if (fresh) {
      throw new DemoRefusal("--fresh deletes the demo's own data only: leave out --database-url");
    }
    // The default of other PostgreSQL clients. A user in the address overrides both.
    String self = System.getProperty("user.name", "");
    String user = Objects.requireNonNullElse(databaseUser, self);
    DemoDatabase given =
        DemoDatabase.at(url, user, Objects.requireNonNullElse(databasePassword, ""));
    return () -> given;
  }

  private String whereDataStays() {
    return databaseUrl == null
        ? "data is kept in " + folder + " (start with --fresh to wipe)"
        : "data is kept in your database";
  }

  private static int misused(Exception failure) {
    System.err.println("once: " + failure.getMessage() + " (./once demo --help)");
    return MISUSED;
  }

  private int refused(Exception failure) {
    if (failure instanceof DemoRefusal) {
      System.err.println("once: " + failure.getMessage());
      return REFUSED;
    }
    var files = new DemoFolder(folder);
    files.log(failure);
    System.err.println(
        "once: the demo cannot start: "
            + DemoRefusal.reason(failure)
            + " (more in "
            + files.log()
            + ")");
    return REFUSED;
  }
}
