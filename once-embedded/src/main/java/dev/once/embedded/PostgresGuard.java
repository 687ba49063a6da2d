package dev.once.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Stops the server when this JVM ends, for any reason.
 *
 * <p>A shutdown hook does not run after SIGKILL. A signal on the parent's death ({@code prctl})
 * exists only on Linux, is sent already when the thread that started the server ends, and would
 * leave the data behind. So a small shell script reads a pipe whose other end only this JVM holds:
 * the kernel closes that end when the JVM ends. Each line replaces the process ids that the script
 * knows: first the process to interrupt, then the processes that a pause has stopped and that must
 * be resumed to be able to end. The script runs outside the process group of the JVM, so that a
 * kill of the group does not end both. If it was killed too, the next program that starts a server
 * on the data stops this one ({@link LeftoverServer}). The script treats a zombie as ended, because
 * the first process of a container may never reap it. The deletion is repeated because a process
 * that is about to end may still write files.
 */
final class PostgresGuard {
  private static final int LIMIT_IN_TENTHS_OF_A_SECOND = 200;

  private static final String SCRIPT =
      String.format(
          Locale.ROOT,
          """
          trap '' HUP INT QUIT TERM
          runs() { kill -s 0 "$1" && ! grep -q ') Z ' "/proc/$1/stat"; }
          pids=
          n=0
          while read -r line; do pids=$line; done
          if [ -n "$pids" ]; then
            kill -s CONT $pids
            pid=${pids%%%% *}
            kill -s INT "$pid"
            while runs "$pid" && [ "$n" -lt %1$d ]; do sleep 0.1; n=$((n + 1)); done
            runs "$pid" && kill -s KILL $pids
          fi
          until rm -rf -- "$1" || [ "$n" -ge %1$d ]; do sleep 0.1; n=$((n + 1)); done
          """,
          LIMIT_IN_TENTHS_OF_A_SECOND);

  private final Process process;

  private PostgresGuard(Process process) {
    this.process = process;
  }

  /**
   * Starts the guard, which deletes {@code workspace} when this JVM ends without {@link #dismiss}.
   */
  static PostgresGuard start(Path workspace) throws IOException {
    List<String> script = List.of("sh", "-c", SCRIPT, "once-postgres-guard", workspace.toString());
    return new PostgresGuard(
        new ProcessBuilder(PostgresCommand.inOwnSession(script))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start());
  }

  long pid() {
    return process.pid();
  }

  /** Sets the process to stop, followed by the paused ones; empty if there is none to stop. */
  void watch(List<Long> pids) throws IOException {
    String line = pids.stream().map(String::valueOf).collect(Collectors.joining(" ", "", "\n"));
    OutputStream pipe = process.getOutputStream();
    pipe.write(line.getBytes(StandardCharsets.US_ASCII));
    pipe.flush();
  }

  /** Ends the guard without any of its effects. */
  void dismiss() {
    process.destroyForcibly();
    PostgresCommand.await(process, PostgresCommand.SHORT, "the guard of the server");
  }
}
