package dev.once.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** A command line, read. */
record Command(List<Part> parts, Settings settings) {
  static final String USAGE =
      """
      java -jar once-bench.jar [load|replay|scale|fingerprint|http|jobs|jobs-scale|steps|inbox|all]... [options]
        --callers 1,16,64    how many callers at a time
        --connections 16     size of the pool that all contestants share
        --seconds 1          length of a round
        --rounds 8           rounds per contestant
        --rows 100000        records in the large table of "scale", finished jobs in "jobs-scale"; the full form is 10000000
        --jobs 20000         jobs in a backlog of "jobs"
        --kills 5            how many times "jobs" kills a worker
        --service FILE       the planning service of "http", or its folder: examples/planning/target
        --markdown FILE      replaces the tables between the markers in FILE
      """;

  Command {
    parts = List.copyOf(parts);
  }

  static Command parse(String... arguments) {
    List<Part> parts = new ArrayList<>();
    Settings settings = Settings.DEFAULT;
    Iterator<String> rest = Arrays.asList(arguments).iterator();
    while (rest.hasNext()) {
      String argument = rest.next();
      if (!argument.startsWith("--")) {
        parts.addAll(partsOf(argument));
      } else if (rest.hasNext()) {
        settings = with(settings, argument, rest.next());
      } else {
        throw new IllegalArgumentException(argument + " needs a value");
      }
    }
    return new Command(parts.isEmpty() ? partsOf("all") : parts, settings);
  }

  private static List<Part> partsOf(String name) {
    if (name.equals("all")) {
      return List.of(Part.values());
    }
    return List.of(
        Arrays.stream(Part.values())
            .filter(it -> it.label().equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown part " + name)));
  }

  private static Settings with(Settings settings, String option, String value) {
    return switch (option) {
      case "--callers" ->
          settings.withCallers(Arrays.stream(value.split(",", -1)).map(Integer::valueOf).toList());
      case "--connections" -> settings.withConnections(Integer.parseInt(value));
      case "--seconds" ->
          settings.withRound(Duration.ofMillis(Math.round(1000 * Double.parseDouble(value))));
      case "--rounds" -> settings.withRounds(Integer.parseInt(value));
      case "--rows" -> settings.withRows(Long.parseLong(value));
      case "--jobs" -> settings.withJobs(Integer.parseInt(value));
      case "--kills" -> settings.withKills(Integer.parseInt(value));
      case "--service" -> settings.withService(Path.of(value));
      case "--markdown" -> settings.withMarkdown(Path.of(value));
      default -> throw new IllegalArgumentException("unknown option " + option);
    };
  }
}
