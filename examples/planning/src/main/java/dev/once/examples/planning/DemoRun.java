package dev.once.examples.planning;

import dev.once.http.Contract;
import dev.once.http.ScopeRule;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * One run of the demo: starts the database and then the service, and stops them in reverse order.
 *
 * <p>A signal ends the run. After Ctrl-C the JVM runs {@link #end} and exits with 130 (143 after
 * SIGTERM), like other programs that a signal stops.
 */
final class DemoRun {
  /** Serves this machine only, because the demo's tokens are public. */
  private static final String ADDRESS = "127.0.0.1";

  private static final String GRACE = "5s";

  private final DemoFolder folder;
  private final DemoContract contract;
  private final DemoPort port;
  private final PrintStream out;
  private volatile @Nullable DemoDatabase database;
  private volatile @Nullable ConfigurableApplicationContext service;
  private volatile boolean ending;

  DemoRun(DemoFolder folder, DemoContract contract, DemoPort port, PrintStream out) {
    this.folder = folder;
    this.contract = contract;
    this.port = port;
    this.out = out;
  }

  /** Starts everything and returns; {@code last} is the last line of its output. */
  void start(Supplier<DemoDatabase> source, String last) {
    var hook = new Thread(this::end, "demo-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      DemoDatabase started = startDatabase(source);
      ConfigurableApplicationContext context = startService(started);
      DemoTokens.lend(context.getBean(ApiTokens.class));
      ScopeRule scope = context.getBean(Contract.class).scope();
      var guide = new DemoGuide(contract, scope, address(context), UUID.randomUUID());
      out.println("\n" + guide.text() + "\n" + last);
    } catch (RuntimeException e) {
      out.println();
      requireNotEnding();
      Runtime.getRuntime().removeShutdownHook(hook);
      close();
      throw e;
    }
  }

  private DemoDatabase startDatabase(Supplier<DemoDatabase> source) {
    long start = begin("PostgreSQL");
    DemoDatabase started = source.get();
    database = started;
    ready("version " + started.majorVersion(), start);
    return started;
  }

  private ConfigurableApplicationContext startService(DemoDatabase started) {
    long start = begin("planning");
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(PlanningApplication.class)
            .registerShutdownHook(false)
            .run(settings(started).toArray(String[]::new));
    service = context;
    ready("contract " + contract.word(), start);
    return context;
  }

  // As arguments, because these override the service's own settings and the environment.
  private List<String> settings(DemoDatabase started) {
    return List.of(
        "--spring.datasource.url=" + started.url(),
        "--spring.datasource.username=" + started.user(),
        "--spring.datasource.password=" + started.password(),
        "--server.address=" + ADDRESS,
        "--server.port=" + port.number(),
        "--once.contract=" + contract.word(),
        "--spring.lifecycle.timeout-per-shutdown-phase=" + GRACE,
        "--spring.main.banner-mode=off",
        "--logging.file.name=" + folder.log(),
        "--logging.threshold.console=off",
        "--logging.register-shutdown-hook=false");
  }

  private static String address(ConfigurableApplicationContext context) {
    return "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
  }

  private long begin(String what) {
    out.print(what + " ... ");
    out.flush();
    return System.nanoTime();
  }

  private void ready(String detail, long start) {
    double seconds = (System.nanoTime() - start) / 1e9;
    out.println(String.format(Locale.ROOT, "ready, %s (%.1f s)", detail, seconds));
  }

  private void end() {
    ending = true;
    out.println("\nstopping ...");
    close();
    out.println("stopped");
  }

  private void close() {
    close(service);
    close(database);
  }

  private void close(@Nullable AutoCloseable part) {
    try {
      if (part != null) {
        part.close();
      }
    } catch (Exception e) {
      folder.log(e);
    }
  }

  // Failures during shutdown are expected.
  private void requireNotEnding() {
    if (ending) {
      waitForTheEnd();
    }
  }

  /** Waits until a signal ends this JVM. */
  void waitForTheEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
