package dev.once.bench;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The result of a benchmark.
 *
 * @param setting how it was measured, in a sentence
 */
record Report(String setting, List<Table> tables) {
  String toMarkdown() {
    String aims = findings().isEmpty() ? "" : "\n" + Finding.table(findings()).toMarkdown();
    return setting
        + "\n\n"
        + tables.stream().map(Table::toMarkdown).collect(Collectors.joining("\n"))
        + aims;
  }

  /** Returns the findings of all tables, met and missed. */
  List<Finding> findings() {
    return tables.stream().flatMap(it -> it.findings().stream()).toList();
  }

  /** Returns the chart of the first table that has one. */
  Optional<Chart> chart() {
    return tables.stream().flatMap(it -> it.chart().stream()).findFirst();
  }
}
