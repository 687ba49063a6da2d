package dev.once.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line. An option that is not given has its value from {@link Settings#DEFAULT}. */
@CommandLine.Command(
    name = "./once bench",
    description = {
      "Measures Once beside other products and beside the same work done by hand, on real servers"
          + " that it starts itself, and prints tables and which aims were met.",
      ""
    },
    synopsisHeading = "usage: ",
    customSynopsis = "./once bench [<part>...] [options]%n",
    parameterListHeading = "Parts, all unless named:%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "It exits with 0 when everything was measured, whether or not every aim was met, 1 when"
          + " something failed, 2 when misused."
    },
    sortOptions = false,
    mixinStandardHelpOptions = false)
final class Command implements Callable<Integer> {
  private static final int MISUSED = 2;

  /** Where the results go. */
  private static final Set<String> WHERE = Set.of("--json", "--svg", "--markdown");

  @Parameters(
      paramLabel = "<part>",
      description = "${COMPLETION-CANDIDATES}",
      completionCandidates = PartNames.class)
  private List<String> parts = List.of();

  @Option(
      names = "--quick",
      description = "nearly all of it in about five minutes; noisy, and no worker is killed")
  private boolean quick;

  @Option(
      names = "--callers",
      split = ",",
      paramLabel = "<number>",
      description = "how many callers at a time (1,16,64,512)")
  private @Nullable List<Integer> callers;

  @Option(
      names = "--connections",
      paramLabel = "<number>",
      description = "size of the pool that all contestants share (16)")
  private @Nullable Integer connections;

  @Option(names = "--seconds", paramLabel = "<number>", description = "length of a round (1)")
  private @Nullable Double seconds;

  @Option(names = "--rounds", paramLabel = "<number>", description = "rounds per contestant (8)")
  private @Nullable Integer rounds;

  @Option(
      names = "--rows",
      paramLabel = "<number>",
      description =
          "records in the large table of scale, finished jobs in jobs-scale (100000; the full form"
              + " is 10000000)")
  private @Nullable Long rows;

  @Option(
      names = "--jobs",
      paramLabel = "<number>",
      description = "jobs in a backlog of jobs (20000)")
  private @Nullable Integer jobs;

  @Option(
      names = "--kills",
      paramLabel = "<number>",
      description = "how many times jobs kills a worker (5)")
  private @Nullable Integer kills;

  @Option(
      names = "--service",
      paramLabel = "<path>",
      description = "the planning service of http, or its folder (examples/planning/target)")
  private @Nullable Path service;

  @Option(
      names = "--json",
      paramLabel = "<file>",
      description = "writes a list of {work, against, ratio, aim, met}")
  private @Nullable Path json;

  @Option(names = "--svg", paramLabel = "<folder>", description = "writes a chart for each part")
  private @Nullable Path svg;

  @Option(
      names = "--markdown",
      paramLabel = "<file>",
      description = "replaces the tables between the markers in a file: docs/benchmarks/tables.md")
  private @Nullable Path markdown;

  @SuppressWarnings("UnusedVariable") // picocli reads it.
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "shows this")
  private boolean help;

  private List<String> given = List.of();

  /** Parses a command line without running it. */
  static Command parse(String... arguments) {
    Command command = new Command();
    command.given = List.of(arguments);
    line(command).parseArgs(arguments);
    return command;
  }

  static void help(PrintStream out) {
    line(new Command()).usage(out);
  }

  /** Runs the command line and returns the exit code. */
  static int run(String... arguments) {
    Command command = new Command();
    command.given = List.of(arguments);
    return line(command)
        .setParameterExceptionHandler((failure, ignored) -> misused(failure))
        .execute(arguments);
  }

  private static CommandLine line(Command command) {
    return new CommandLine(command)
        .setUsageHelpWidth(100)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public Integer call() throws Exception {
    Run run;
    try {
      run = new Run(parts(), settings(), outputs(), System.out);
      run.requireReady();
    } catch (IllegalArgumentException e) {
      return misused(e);
    }
    run.measure();
    return 0;
  }

  List<Part> parts() {
    return parts.isEmpty()
        ? Arrays.asList(Part.values())
        : parts.stream().map(PartNames::part).toList();
  }

  Settings settings() {
    Settings settings = quick ? Settings.QUICK : Settings.DEFAULT;
    settings = callers == null ? settings : settings.withCallers(callers);
    settings = connections == null ? settings : settings.withConnections(connections);
    settings = seconds == null ? settings : settings.withRound(duration(seconds));
    settings = rounds == null ? settings : settings.withRounds(rounds);
    settings = rows == null ? settings : settings.withRows(rows);
    settings = jobs == null ? settings : settings.withJobs(jobs);
    settings = kills == null ? settings : settings.withKills(kills);
    return service == null ? settings : settings.withService(service);
  }

  Outputs outputs() {
    return new Outputs(
        Optional.ofNullable(json),
        Optional.ofNullable(svg),
        Optional.ofNullable(markdown).map(MarkdownFile::new),
        String.join(" ", howGiven()));
  }

  /** Returns the options that say how to measure, without those that name outputs. */
  private List<String> howGiven() {
    List<String> options = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      String option = given.get(i);
      if (WHERE.contains(option)) {
        i++; // Its value.
      } else if (WHERE.stream().noneMatch(it -> option.startsWith(it + "="))
          && !parts.contains(option)) {
        options.add(option);
      }
    }
    return options;
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(1000 * seconds));
  }

  private static int misused(Exception failure) {
    System.err.println("once: " + failure.getMessage() + " (./once bench --help)");
    return MISUSED;
  }
}
