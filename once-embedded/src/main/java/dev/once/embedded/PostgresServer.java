package dev.once.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** One run of the server: its main process, which is our child, and the processes it forks. */
final class PostgresServer {
  /**
   * Recovery after a crash of a large database takes longest; a fresh start takes half a second.
   */
  static final Duration START_LIMIT = Duration.ofSeconds(60);

  /** A fast shutdown disconnects every client and writes a checkpoint. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  private static final Duration POLL = Duration.ofMillis(10);

  /** A file of every data directory, which all processes of its server keep locked. */
  static final String LOCKED_FILE = "PG_VERSION";

  // Children inherit the open file, and with it the lock. Without flock, as on macOS, the server's
  // own checks have to do.
  private static final String LOCKED =
      """
      if command -v flock > /dev/null; then
        exec 9<> %1$s
        flock -n 9 || { echo "another server has locked %1$s" >&2; exit 1; }
      fi
      exec "$@"
      """
          .formatted(LOCKED_FILE);

  // Lines of postmaster.pid, as the server's own pg_ctl reads them.
  private static final int PID_LINE = 0;
  private static final int SHARED_MEMORY_LINE = 6;
  private static final int STATUS_LINE = 7;

  private final Process process;
  private final Path pidFile;
  private final PostgresGuard guard;
  private List<ProcessHandle> paused = List.of();

  private PostgresServer(Process process, Path data, PostgresGuard guard) {
    this.process = process;
    this.pidFile = data.resolve("postmaster.pid");
    this.guard = guard;
  }

  /** Starts the server and returns when it accepts connections. */
  static PostgresServer start(List<String> command, Path data, Path log, PostgresGuard guard)
      throws IOException {
    List<String> locked = new ArrayList<>(List.of("sh", "-c", LOCKED, "sh"));
    locked.addAll(PostgresCommand.inOwnSession(command));
    Process process = PostgresCommand.start(locked, data, log);
    var server = new PostgresServer(process, data, guard);
    try {
      guard.watch(List.of(process.pid()));
      server.awaitReady();
      return server;
    } catch (IOException | RuntimeException e) {
      server.kill();
      throw e;
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isRunning() {
    return process.isAlive();
  }

  // Reads the file instead of connecting to the port: while no process listens, a connection from
  // this machine to a port of the ephemeral range can connect to itself and take the server's port.
  private void awaitReady() {
    boolean settled = await(START_LIMIT, () -> isReady() || !process.isAlive());
    if (!settled) {
      throw new IllegalStateException("the server was not ready within " + START_LIMIT);
    }
    if (!process.isAlive()) {
      throw new IllegalStateException("the server ended with exit code " + process.exitValue());
    }
  }

  private boolean isReady() {
    // A crash leaves the file of an earlier process behind, so the process id is checked too.
    return pidFileLine(PID_LINE).equals(Long.toString(process.pid()))
        && pidFileLine(STATUS_LINE).equals("ready");
  }

  private String pidFileLine(int index) {
    try {
      List<String> lines = PostgresFiles.lines(pidFile);
      return index < lines.size() ? lines.get(index).strip() : "";
    } catch (IOException e) {
      return "";
    }
  }

  /** Disconnects all clients, writes a checkpoint and ends. */
  void stop() throws IOException {
    resume();
    PostgresCommand.signal("INT", List.of(pid()));
    if (!await(STOP_LIMIT, () -> !process.isAlive())) {
      kill();
      throw new IllegalStateException(
          "the server did not stop within " + STOP_LIMIT + " and was killed");
    }
    guard.watch(List.of());
  }

  /** Ends all processes at once, as a crash would. */
  void kill() throws IOException {
    List<ProcessHandle> forked = freezeAndList();
    process.destroyForcibly();
    forked.forEach(ProcessHandle::destroyForcibly);
    boolean gone = await(STOP_LIMIT, () -> !process.isAlive()) && awaitEnd(forked);
    paused = List.of();
    guard.watch(List.of());
    if (!gone) {
      throw new IllegalStateException("the server's processes survived SIGKILL for " + STOP_LIMIT);
    }
    removeSharedMemory();
  }

  /** Freezes all processes; clients see a server that no longer responds. */
  void pause() throws IOException {
    List<ProcessHandle> forked = freezeAndList();
    paused = forked;
    List<Long> pids = forked.stream().map(ProcessHandle::pid).collect(Collectors.toList());
    if (!pids.isEmpty()) {
      PostgresCommand.signal("STOP", pids);
    }
    pids.add(0, pid());
    guard.watch(pids);
  }

  /** Resumes all processes after a pause; has no effect without one. */
  void resume() throws IOException {
    List<Long> pids = new ArrayList<>();
    paused.forEach(handle -> pids.add(handle.pid()));
    pids.add(pid());
    PostgresCommand.signal("CONT", pids);
    paused = List.of();
    guard.watch(List.of(pid()));
  }

  // Stops the main process before it lists the others, so that it forks no more.
  private List<ProcessHandle> freezeAndList() throws IOException {
    if (process.isAlive()) {
      PostgresCommand.signal("STOP", List.of(pid()));
    }
    return process.descendants().toList();
  }

  /** Waits until none of the processes runs; returns false when that takes too long. */
  static boolean awaitEnd(List<ProcessHandle> handles) {
    return await(STOP_LIMIT, () -> !anyRuns(handles));
  }

  private static boolean anyRuns(List<ProcessHandle> handles) {
    return handles.stream().anyMatch(handle -> handle.isAlive() && !isZombie(handle.pid()));
  }

  // The first process of a container often does not reap orphans, although they have ended.
  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.startsWith(") Z", stat.lastIndexOf(')'));
    } catch (IOException e) {
      return false;
    }
  }

  // A killed server leaves a small System V shared memory segment, of which a machine has a few
  // thousand. A restart would remove it, but after a kill there may never be one.
  private void removeSharedMemory() {
    String[] keyAndId = pidFileLine(SHARED_MEMORY_LINE).split("\\s+", -1);
    if (keyAndId.length != 2 || !pidFileLine(PID_LINE).equals(Long.toString(pid()))) {
      return;
    }
    try {
      PostgresCommand.run(List.of("ipcrm", "-m", keyAndId[1]));
    } catch (IOException e) {
      // Without ipcrm the segment stays, which matters only after thousands of kills.
    }
  }

  private static boolean await(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
      } catch (InterruptedException e) {
        throw PostgresCommand.interrupted("the server", e);
      }
    }
    return true;
  }
}
