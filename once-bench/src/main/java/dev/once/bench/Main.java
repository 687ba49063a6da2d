package dev.once.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine;

/** Measures the parts that the command line names, one after the other, and prints the results. */
public final class Main {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private Main() {}

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT); // The tables read the same everywhere.
    System.exit(run(System.out, arguments)); // Libraries may have left threads running.
  }

  /** Runs a command line and returns its exit code. */
  static int run(PrintStream out, String... arguments) {
    Settings settings;
    List<Part> parts;
    Outputs outputs;
    try { // All files must be usable before anything is measured.
      CommandLine parser = Settings.parser(arguments);
      outputs = Outputs.of(parser.parseArgs(arguments));
      settings = parser.getCommand();
      parts = Objects.requireNonNullElse(settings.parts(), List.of(Part.values()));
      outputs.requireReady(parts);
      if (parts.contains(Part.HTTP)) {
        PlanningService.jar(settings.service());
      }
    } catch (IllegalArgumentException | IOException | CommandLine.ParameterException e) {
      System.err.println("once: " + e.getMessage() + " (./once bench --help)");
      return MISUSED;
    }
    try {
      measure(out, settings, parts, outputs);
      return 0;
    } catch (Exception e) {
      e.printStackTrace();
      return FAILED;
    }
  }

  private static void measure(PrintStream out, Settings settings, List<Part> parts, Outputs outputs)
      throws Exception {
    long begin = System.nanoTime();
    List<Finding> findings = new ArrayList<>();
    for (Part part : parts) {
      String place = "part %d/%d".formatted(parts.indexOf(part) + 1, parts.size());
      Report report =
          part.run(
              settings,
              it -> out.printf("[%4.0f s, %s] %s%n", (System.nanoTime() - begin) / 1e9, place, it));
      out.println("\n" + report.toMarkdown());
      findings.addAll(report.findings());
      outputs.write(part, report);
      outputs.write(findings);
    }
    long met = findings.stream().filter(Finding::met).count();
    out.println(Finding.table(findings).toMarkdown());
    out.printf("%d of %d aims met, %d missed%n", met, findings.size(), findings.size() - met);
  }
}
