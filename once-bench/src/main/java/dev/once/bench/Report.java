package dev.once.bench;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a benchmark found.
 *
 * @param setting how it was measured, in a sentence
 */
record Report(String setting, List<Table> tables) {
  String toMarkdown() {
    return setting
        + "\n\n"
        + tables.stream().map(Table::toMarkdown).collect(Collectors.joining("\n"));
  }

  /** What it says about aims, met and missed. */
  List<Finding> findings() {
    return tables.stream().flatMap(it -> it.findings().stream()).toList();
  }

  /** The picture of the first table that has one. */
  Optional<Chart> chart() {
    return tables.stream().flatMap(it -> it.chart().stream()).findFirst();
  }
}
