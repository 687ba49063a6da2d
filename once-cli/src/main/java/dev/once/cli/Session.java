package dev.once.cli;

import java.io.Console;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What surrounds a command.
 *
 * @param out for results
 * @param err for progress and errors
 * @param passwords asks a person for a password; empty if there is none to ask
 */
record Session(
    Map<String, String> environment,
    PrintStream out,
    PrintStream err,
    Function<String, Optional<String>> passwords) {
  static Session ofSystem() {
    return new Session(
        System.getenv(),
        new PrintStream(System.out, true, StandardCharsets.UTF_8),
        new PrintStream(System.err, true, StandardCharsets.UTF_8),
        Session::ask);
  }

  Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(it -> !it.isBlank());
  }

  void print(String line) {
    out.println(line);
  }

  /** Prints a line that is not a part of the result. */
  void note(String line) {
    err.println(line);
  }

  @SuppressWarnings("SystemConsoleNull") // The script starts us with -Djdk.console=java.base.
  private static Optional<String> ask(String prompt) {
    Console console = System.console();
    char[] password = console == null ? null : console.readPassword("%s", prompt);
    return Optional.ofNullable(password).map(String::new);
  }
}
