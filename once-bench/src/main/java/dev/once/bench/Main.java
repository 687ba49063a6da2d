package dev.once.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;

/** Measures the parts that the command line names, one after the other, and prints the results. */
public final class Main {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final PrintStream out;
  private final Settings settings;
  private final List<Part> parts;
  private final Outputs outputs;

  private Main(PrintStream out, CommandLine parsed) {
    this.out = out;
    this.settings = parsed.getCommand();
    this.parts = Optional.ofNullable(settings.parts()).orElse(Arrays.asList(Part.values()));
    this.outputs = Outputs.of(parsed.getParseResult());
  }

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT); // The tables read the same everywhere.
    System.exit(run(System.out, arguments)); // Libraries may have left threads running.
  }

  /** Runs a command line and returns its exit code. */
  static int run(PrintStream out, String... arguments) {
    Main main;
    try {
      CommandLine parser = Settings.parser(arguments);
      parser.parseArgs(arguments);
      main = new Main(out, parser);
      main.requireReady();
    } catch (IllegalArgumentException | IOException | CommandLine.ParameterException e) {
      System.err.println("once: " + e.getMessage() + " (./once bench --help)");
      return MISUSED;
    }
    try {
      main.measure();
      return 0;
    } catch (Exception e) {
      e.printStackTrace();
      return FAILED;
    }
  }

  /** Checks that all files can be read and written, before anything is measured. */
  private void requireReady() throws IOException {
    outputs.requireReady(parts);
    if (parts.contains(Part.HTTP)) {
      PlanningService.jar(settings.service());
    }
  }

  private void measure() throws Exception {
    long begin = System.nanoTime();
    List<Finding> findings = new ArrayList<>();
    for (Part part : parts) {
      String place = "%d/%d".formatted(parts.indexOf(part) + 1, parts.size());
      Report report = part.run(settings, it -> say(begin, place, it));
      out.println("\n" + report.toMarkdown());
      findings.addAll(report.findings());
      outputs.write(part, report);
      outputs.write(findings);
    }
    long met = findings.stream().filter(Finding::met).count();
    out.println(Finding.table(findings).toMarkdown());
    out.printf("%d of %d aims met, %d missed%n", met, findings.size(), findings.size() - met);
  }

  private void say(long begin, String place, String text) {
    out.printf("[%4d s, part %s] %s%n", (System.nanoTime() - begin) / 1_000_000_000L, place, text);
  }
}
