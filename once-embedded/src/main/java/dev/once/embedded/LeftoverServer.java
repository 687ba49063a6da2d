package dev.once.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The server that a killed program left on a data directory. The next program, which holds the
 * {@link PostgresLock}, ends it before it starts its own.
 *
 * <p>A {@link PostgresGuard} stops the server of a killed program, but may have been killed too. A
 * server is stopped here only if the running process itself shows that it is left over, because ids
 * in files may have been given to other processes since:
 *
 * <ul>
 *   <li>Its command line names this directory and the process that started it, its owner.
 *   <li>Its parent is another process than its owner. The kernel gives a child another parent when
 *       its parent ends, and never before.
 * </ul>
 *
 * <p>Every other server is left running, and the start is refused. That includes servers that are
 * not visible here, such as one in another container that shares the directory: each process of a
 * server holds a lock on {@code PG_VERSION} ({@link PostgresServer}), which the kernel releases
 * when the last of them ends.
 */
final class LeftoverServer {
  private static final String OWNER = "once.owner=";
  private static final String PROGRAM = "postgres";

  // Waits five seconds: if the main process of a server was killed, its others end soon, but not at
  // once. Without flock, as on macOS, only processes that are visible here are found.
  private static final String AWAIT_UNLOCKED =
      """
      command -v flock > /dev/null || exit 0
      n=0
      until flock -n "$1" true; do
        [ "$n" -lt 50 ] || exit 1
        sleep 0.1
        n=$((n + 1))
      done
      """;

  private final Path data;
  private final Path pidFile;

  LeftoverServer(Path data) {
    this.data = data;
    this.pidFile = data.resolve("postmaster.pid");
  }

  /** Returns the server's arguments that name this process as its owner. */
  static List<String> ownerArguments() {
    return List.of("-c", OWNER + ProcessHandle.current().pid());
  }

  /**
   * Returns when no server uses the directory, after stopping one that is left over.
   *
   * @throws IllegalStateException if a server uses the directory and must not be stopped, or does
   *     not stop
   */
  void end() throws IOException {
    Optional<ProcessHandle> named = namedProcess();
    Optional<String> program = named.flatMap(it -> it.info().command());
    if (program.isEmpty()) {
      requireUnlocked();
    } else if (!program.get().endsWith(PROGRAM) || usesAnotherDirectory(named.get())) {
      // The server would take the other process for itself, and refuse to start.
      requireUnlocked();
      Files.deleteIfExists(pidFile);
    } else {
      stop(named.get());
      requireUnlocked();
    }
  }

  private Optional<ProcessHandle> namedProcess() throws IOException {
    List<String> lines = PostgresFiles.lines(pidFile);
    try {
      return lines.isEmpty()
          ? Optional.empty()
          : ProcessHandle.of(Long.parseLong(lines.get(0).strip()));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private boolean usesAnotherDirectory(ProcessHandle server) throws IOException {
    List<String> arguments = argumentsOf(server);
    int option = arguments.indexOf("-D");
    if (option < 0 || option + 1 == arguments.size()) {
      return false;
    }
    try {
      Path other = Path.of(arguments.get(option + 1));
      return !Files.exists(other) || !Files.isSameFile(other, data);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private void stop(ProcessHandle server) throws IOException {
    String owner = ownerOf(server).orElseThrow(() -> notOurs(server));
    if (server.parent().filter(it -> owner.equals(Long.toString(it.pid()))).isPresent()) {
      throw PostgresLock.inUse(data, owner);
    }
    // A process that a pause has stopped must be resumed to be able to end. SIGINT disconnects all
    // clients; during recovery it ends the recovery, which the next server begins again.
    List<Long> all =
        Stream.concat(Stream.of(server), server.descendants()).map(ProcessHandle::pid).toList();
    PostgresCommand.signal("CONT", all);
    PostgresCommand.signal("INT", List.of(server.pid()));
    if (!PostgresServer.awaitEnd(List.of(server))) {
      throw new IllegalStateException(
          data
              + " is still in use by a server that was left over, process "
              + server.pid()
              + ", which does not stop; end it with kill -s QUIT "
              + server.pid()
              + ", or choose another directory");
    }
  }

  private static Optional<String> ownerOf(ProcessHandle server) {
    return argumentsOf(server).stream()
        .filter(it -> it.startsWith(OWNER))
        .map(it -> it.substring(OWNER.length()))
        .findFirst();
  }

  // A long command line is reported without arguments. Then the server counts as another program's.
  private static List<String> argumentsOf(ProcessHandle process) {
    return process.info().arguments().map(List::of).orElse(List.of());
  }

  private IllegalStateException notOurs(ProcessHandle server) {
    return new IllegalStateException(
        data
            + " is still in use by a server, process "
            + server.pid()
            + "; stop that, or delete "
            + pidFile
            + " if that process uses another directory");
  }

  private void requireUnlocked() throws IOException {
    Path file = data.resolve(PostgresServer.LOCKED_FILE);
    if (!Files.exists(file)) {
      return;
    }
    if (PostgresCommand.run(List.of("sh", "-c", AWAIT_UNLOCKED, "sh", file.toString())).exitCode()
        != 0) {
      throw new IllegalStateException(
          data
              + " is in use by a server that is not visible here, perhaps in another container;"
              + " stop that, or choose another directory");
    }
  }
}
