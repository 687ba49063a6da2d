package dev.once.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What to measure, how, and where to write it, as the command line says. Picocli implements it;
 * {@code ./once bench --help} describes the options.
 */
interface Settings {
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

  @Option(names = "--callers", split = ",", defaultValue = "1,16,64,512")
  List<Integer> callers();

  /**
   * The size of the pool that all contestants share: enough to keep two to four processors and a
   * disk busy.
   */
  @Option(names = "--connections", defaultValue = "16")
  int connections();

  @Option(names = "--seconds", defaultValue = "1")
  double seconds();

  @Option(names = "--rounds", defaultValue = "8")
  int rounds();

  @Option(names = "--rows", defaultValue = "100000")
  long rows();

  /** How many jobs or events a backlog has. */
  @Option(names = "--jobs", defaultValue = "20000")
  int jobs();

  /**
   * How many times a worker is killed before the backlog is worked off; 0 skips this measurement,
   * since some contestants take half a minute to detect a dead worker.
   */
  @Option(names = "--kills", defaultValue = "5")
  int kills();

  /** The planning service's jar, or the folder that contains it. */
  @Option(names = "--service", defaultValue = "${sys:once.root:-.}/examples/planning/target")
  Path service();

  @Option(names = "--json")
  @Nullable Path json();

  @Option(names = "--svg")
  @Nullable Path svg();

  @Option(names = "--markdown")
  @Nullable Path markdown();

  /** Returns a parser of {@code arguments}, for which {@code --quick} changes the defaults. */
  static CommandLine parser(String... arguments) {
    Map<String, String> values = List.of(arguments).contains("--quick") ? QUICK : Map.of();
    return new CommandLine(Settings.class)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setDefaultValueProvider(
            it -> it instanceof OptionSpec option ? values.get(option.longestName()) : null);
  }

  static Settings parse(String... arguments) {
    CommandLine parser = parser(arguments);
    parser.parseArgs(arguments);
    return parser.getCommand();
  }
}
