package dev.once.bench;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Runs the benchmarks that the command line names and prints their tables. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws Exception {
    Locale.setDefault(Locale.ROOT); // The tables read the same everywhere.
    Command command;
    try {
      command = Command.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n\n" + Command.USAGE);
      System.exit(2);
      return;
    }
    run(command, List.of(arguments), System.out);
    System.exit(0); // Libraries may have left threads behind.
  }

  static void run(Command command, List<String> arguments, PrintStream out) throws Exception {
    long begin = System.nanoTime();
    Progress progress =
        line -> out.printf("[%4d s] %s%n", (System.nanoTime() - begin) / 1_000_000_000L, line);
    Optional<MarkdownFile> file = command.settings().markdown().map(MarkdownFile::new);
    for (Part part : command.parts()) {
      part.requireReady(command.settings());
      if (file.isPresent()) {
        file.get().requirePlace(part.label());
      }
    }
    for (Part part : command.parts()) {
      Report report = part.run(command.settings(), progress);
      out.println("\n" + report.toMarkdown());
      if (file.isPresent()) {
        file.get().replace(part.label(), made(part, arguments) + report.toMarkdown());
      }
    }
  }

  /** The command that makes this part alone. */
  private static String made(Part part, List<String> arguments) {
    String options =
        arguments.stream().dropWhile(it -> !it.startsWith("--")).collect(Collectors.joining(" "));
    return "`java -jar once-bench/target/once-bench.jar %s`\n\n"
        .formatted((part.label() + " " + options).strip());
  }
}
