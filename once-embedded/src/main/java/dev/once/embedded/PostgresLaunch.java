package dev.once.embedded;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The ways to run the server, which refuses to run as root. */
enum PostgresLaunch {
  /** As the user of this JVM. */
  DIRECT(""),

  /**
   * In a user namespace that maps no user: root appears as user 65534 there, and still owns its
   * files.
   */
  UNMAPPED("unshare -U --"),

  /** As user 65534, which must own the data and be able to reach the data and the binaries. */
  NOBODY("setpriv --reuid=65534 --regid=65534 --clear-groups --");

  private static final int NOBODY_ID = 65534;

  private final String prefix;

  PostgresLaunch(String prefix) {
    this.prefix = prefix;
  }

  /** Returns the first way that works here, by running {@code postgres --version} in each. */
  static PostgresLaunch choose(Path postgres) {
    boolean root = new UnixSystem().getUid() == 0;
    List<PostgresLaunch> ways = root ? List.of(UNMAPPED, NOBODY) : List.of(DIRECT);
    StringBuilder tried = new StringBuilder();
    for (PostgresLaunch way : ways) {
      String failure = way.probe(postgres);
      if (failure.isEmpty()) {
        return way;
      }
      tried.append("\n  ").append(failure);
    }
    throw new IllegalStateException(
        "PostgreSQL cannot run here"
            + (root
                ? " (it refuses to run as root: run this as another user, or let one of the following work)"
                : "")
            + "; tried:"
            + tried);
  }

  /** Returns what fails; empty if this way works. */
  private String probe(Path postgres) {
    String check = "test \"$(id -u)\" -ne 0 && exec \"$0\" --version";
    List<String> command = command(List.of("sh", "-c", check, postgres.toString()));
    try {
      PostgresCommand.Result result = PostgresCommand.run(command);
      return result.exitCode() == 0
          ? ""
          : String.join(" ", command) + ": exit " + result.exitCode() + ", " + result.output();
    } catch (IOException e) {
      return String.join(" ", command) + ": " + e.getMessage();
    }
  }

  List<String> command(List<String> program) {
    List<String> command = new ArrayList<>();
    if (!prefix.isEmpty()) {
      command.addAll(List.of(prefix.split(" ", -1)));
    }
    command.addAll(program);
    return List.copyOf(command);
  }

  /** Makes the user that the server runs as the owner of a file or directory. */
  void own(Path path) throws IOException {
    if (this == NOBODY) {
      Files.setAttribute(path, "unix:uid", NOBODY_ID);
      Files.setAttribute(path, "unix:gid", NOBODY_ID);
    }
  }
}
