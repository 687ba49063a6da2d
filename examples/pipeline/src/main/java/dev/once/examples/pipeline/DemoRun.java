package dev.once.examples.pipeline;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of the demo: the servers, the pipeline, its clients, and the kills. */
final class DemoRun implements AutoCloseable {
  private static final long TICK_MILLIS = 200;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final Settings settings;
  private final long start = System.nanoTime();
  private final Path data;
  private final FileChannel lock;
  private final Parts parts;
  private final Progress progress;
  private final URI api;
  private final List<CompletableFuture<Void>> restarts = new ArrayList<>();
  private volatile boolean ending;

  /** What the demo does. */
  record Settings(int events, int kills, long seed, int port, Path folder) {}

  DemoRun(Settings settings) throws IOException {
    this.settings = settings;
    Path folder = Files.createDirectories(settings.folder()).toAbsolutePath();
    this.data = folder.resolve("pipeline-data");
    this.lock = lock(folder.resolve("pipeline.lock"));
    Path log = folder.resolve("pipeline.log");
    Files.deleteIfExists(log);
    delete(data);
    System.out.printf(
        "%d events, %d kills, seed %d; all parts log to %s%n",
        settings.events(), settings.kills(), settings.seed(), log);
    this.parts = new Parts(data, log, settings.port(), this::say);
    this.api = parts.environment().api();
    this.progress = new Progress(api);
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "demo-end"));
    say("watch it at " + api + "/");
  }

  private void end() {
    ending = true;
    close();
  }

  /** Returns whether a signal is ending this JVM: later failures are expected then. */
  boolean isEnding() {
    return ending;
  }

  /** Sends all commands, kills parts meanwhile, and returns the result. */
  Outcome run() throws Exception {
    try (Clients clients = new Clients(api, settings.events(), settings.seed())) {
      clients.start();
      Tally tally = clients.tally();
      awaitEnd(clients, new Kills(settings.kills(), settings.seed()));
      say("all effects have happened; comparing the sinks with the log");
      return Verification.of(parts.environment(), tally).outcome(parts.killable(), this::seconds);
    }
  }

  /** Waits until all commands are answered and all effects have happened. */
  private void awaitEnd(Clients clients, Kills kills) throws InterruptedException {
    long deadline = System.nanoTime() + limitNanos();
    long sayAt = 0;
    Optional<Status> status = progress.status();
    while (!clients.isDone() || !isCaughtUp(status, clients.tally()) || !isOver(kills)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the workers did not catch up in time");
      }
      status.ifPresent(it -> killIfDue(kills, it));
      requireParts();
      if (System.nanoTime() > sayAt) {
        sayAt = System.nanoTime() + SECOND_NANOS;
        say(Progress.text(status, clients.tally()) + "  kills " + parts.kills());
      }
      Thread.sleep(TICK_MILLIS);
      status = progress.status();
    }
  }

  private static boolean isCaughtUp(Optional<Status> status, Tally tally) {
    return status.filter(it -> it.isCaughtUp(tally.appended())).isPresent();
  }

  private boolean isOver(Kills kills) {
    return kills.isOver() && parts.killable().stream().allMatch(Part::isReady);
  }

  private void killIfDue(Kills kills, Status status) {
    double effects = status.consumers().stream().mapToLong(Status.Consumer::settled).sum();
    double all = (double) settings.events() * status.consumers().size();
    kills
        .next(effects / all, parts.killable())
        .ifPresent(
            part -> {
              restarts.add(parts.killAndRestart(part));
              say("killed " + part.role().text());
            });
  }

  private void requireParts() {
    for (CompletableFuture<Void> restart : restarts) {
      if (restart.isCompletedExceptionally()) {
        restart.join();
      }
    }
    parts.requireAlive();
  }

  /** A minute for the first events and after each kill, and time for all others. */
  private long limitNanos() {
    return (60L * (2 + settings.kills()) + settings.events() / 5) * SECOND_NANOS;
  }

  /** Returns what people can try while everything runs. */
  String invitation() throws IOException {
    Path variables = parts.environment().writeTo(settings.folder().resolve("pipeline.env"));
    return """

    Everything runs until Ctrl-C. Watch it at %1$s/ and send commands:

      curl -i %1$s/v1/instances -H 'Content-Type: application/json' -H 'Idempotency-Key: try-1' \\
        -d '{"id":"my pump","type":"pump","name":"My pump"}'          # 201; again: the same answer
      curl -i %1$s/v1/instances -H 'Content-Type: application/json' -H 'Idempotency-Key: try-1' \\
        -d '{"id":"my pump","type":"pump","name":"Another pump"}'     # 409: the id was used
      curl -i -X PUT %1$s/v1/instances/my%%20pump -H 'Content-Type: application/json' \\
        -d '{"expected_seq":1,"type":"pump","name":"Renamed"}'        # 200; again: 409, actual_seq 2
      curl -i -X DELETE '%1$s/v1/instances/my%%20pump?expected_seq=2'

    Or look at it as an operator does:

      . %2$s
      ./once events tail --limit 5
      ./once events check --model instances --aggregate-type instance --deletes instance.deleted
    """
        .formatted(api, variables);
  }

  private double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  private void say(String line) {
    System.out.println(String.format(Locale.ROOT, "%5.1f s  %s", seconds(), line));
  }

  /** Two runs in one folder would delete each other's data. */
  private static FileChannel lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      channel.close();
      throw new IOException("another demo runs in this folder: end it, or choose a --folder");
    }
    return channel;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public synchronized void close() {
    parts.close();
    try {
      delete(data);
      Files.deleteIfExists(settings.folder().resolve("pipeline.env"));
      lock.close();
    } catch (IOException e) {
      System.err.println("once: " + data + " was not deleted: " + e.getMessage());
    }
  }
}
