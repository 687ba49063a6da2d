package dev.once.bench;

import java.util.List;
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
}
