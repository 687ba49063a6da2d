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
 * Stops the server when this JVM is gone, however it went.
 *
 * <p>A shutdown hook does not run after SIGKILL. A signal on the parent's death ({@code prctl})
 * exists on Linux alone, comes already when the thread that started the server ends, and would
 * leave the data behind. So a small shell script reads a pipe whose other end only this JVM holds:
 * the kernel closes that end when the JVM ends. Each line replaces what the script knows, which is
 * the process to interrupt followed by those that a pause has stopped and that must run again to be
 * able to end. A zombie does not run: the first process of a container may never collect it. The
 * deletion is repeated because a program that is about to end may still write files.
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

  /** Starts to guard; {@code workspace} is deleted when this JVM ends without a dismissal. */
  static PostgresGuard start(Path workspace) throws IOException {
    return new PostgresGuard(
        new ProcessBuilder("sh", "-c", SCRIPT, "once-postgres-guard", workspace.toString())
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start());
  }

  long pid() {
    return process.pid();
  }

  /** Names the process to stop, then those that are paused; nothing when none is left to stop. */
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
