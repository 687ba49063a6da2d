package dev.once.bench;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What to measure, how, and where to write it, as the command line says. Picocli implements it;
 * {@code ./once bench --help} describes the options.
 */
interface Settings {
  /** The folder of the project, if it is not the working directory. */
  String ROOT = System.getProperty("once.root", "");

  Map<String, String> DEFAULTS =
      Map.of(
          "--callers", "1,16,64,512",
          // Enough to keep two to four processors and a disk busy; more callers share them.
          "--connections", "16",
          "--seconds", "1",
          "--rounds", "8",
          "--rows", "100000",
          "--jobs", "20000",
          "--kills", "5",
          "--service", Path.of(ROOT, "examples", "planning", "target").toString());

  /** Everything in a few minutes, for a first impression: medians of so few rounds are noisy. */
  Map<String, String> QUICK =
      Map.of(
          "--callers", "1,64,512",
          "--seconds", "0.15",
          "--rounds", "2",
          "--rows", "20000",
          "--jobs", "2000",
          "--kills", "0");

  @Parameters
  @Nullable List<Part> parts();

  @Option(names = "--quick")
  boolean quick();

  /** The numbers of callers to measure with. */
  @Option(names = "--callers", split = ",")
  List<Integer> callers();

  /** The size of the pool that all contestants share. */
  @Option(names = "--connections")
  int connections();

  /** The length of a round. */
  @Option(names = "--seconds")
  double seconds();

  /** The number of rounds of each contestant. */
  @Option(names = "--rounds")
  int rounds();

  /** How many records the large table has. */
  @Option(names = "--rows")
  long rows();

  /** How many jobs a backlog has. */
  @Option(names = "--jobs")
  int jobs();

  /**
   * How many times a worker is killed before the backlog is worked off; 0 skips this measurement,
   * since some contestants take half a minute to detect a dead worker.
   */
  @Option(names = "--kills")
  int kills();

  /** The planning service's jar, or the folder that contains it. */
  @Option(names = "--service")
  Path service();

  /** The file for the findings. */
  @Option(names = "--json")
  @Nullable Path json();

  /** The folder for a chart of each part. */
  @Option(names = "--svg")
  @Nullable Path svg();

  /** The file in which tables are replaced. */
  @Option(names = "--markdown")
  @Nullable Path markdown();

  /** Returns a parser that takes the value of a missing option from the defaults. */
  static CommandLine parser(String... arguments) {
    Map<String, String> values = new HashMap<>(DEFAULTS);
    if (List.of(arguments).contains("--quick")) {
      values.putAll(QUICK);
    }
    IDefaultValueProvider defaults =
        it -> it instanceof OptionSpec option ? values.get(option.longestName()) : null;
    return new CommandLine(Settings.class)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setDefaultValueProvider(defaults);
  }

  static Settings parse(String... arguments) {
    CommandLine parser = parser(arguments);
    parser.parseArgs(arguments);
    return parser.getCommand();
  }
}
