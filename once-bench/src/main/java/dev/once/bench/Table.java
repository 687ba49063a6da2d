package dev.once.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rows of text under named columns, and the findings from them. Its Markdown is aligned, so it is
 * readable as plain text too.
 */
final class Table {
  private final String title;
  private final List<String> columns;
  private final List<List<Object>> rows = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private Optional<Charted> charted = Optional.empty();

  /**
   * Creates a table without rows.
   *
   * @param columns their names, separated as in Markdown: {@code callers | contestant | calls/s}
   */
  Table(String title, String columns) {
    this.title = title;
    this.columns = List.of(columns.split(" \\| ", -1));
  }

  private record Charted(String value, String label, List<String> groups) {}

  /**
   * Adds a chart of a column of numbers: a bar for each row.
   *
   * @param value the column
   * @param label the column with the names of the bars
   * @param groups the columns that are equal in bars of the same group
   */
  Table charted(String value, String label, String... groups) {
    charted = Optional.of(new Charted(value, label, List.of(groups)));
    return this;
  }

  Table row(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "a row must have %d cells, got %d".formatted(columns.size(), cells.length));
    }
    rows.add(List.of(cells));
    return this;
  }

  Table add(Finding finding) {
    findings.add(finding);
    return this;
  }

  List<List<String>> rows() {
    return rows.stream().map(row -> row.stream().map(Table::text).toList()).toList();
  }

  List<Finding> findings() {
    return findings;
  }

  Optional<Chart> chart() {
    return charted.filter(it -> !rows.isEmpty()).map(this::chart);
  }

  private Chart chart(Charted from) {
    List<Chart.Bar> bars = new ArrayList<>();
    for (List<Object> row : rows) {
      if (row.get(columns.indexOf(from.value)) instanceof Number number) {
        String group =
            from.groups.stream()
                .map(it -> it + ": " + text(row.get(columns.indexOf(it))))
                .collect(Collectors.joining(", "));
        String label = text(row.get(columns.indexOf(from.label)));
        bars.add(new Chart.Bar(group, label, number.doubleValue()));
      }
    }
    return new Chart(title, from.value, bars);
  }

  String toMarkdown() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(columns);
    lines.add(columns.stream().map(it -> "---").toList());
    lines.addAll(rows());
    int[] widths =
        IntStream.range(0, columns.size())
            .map(i -> lines.stream().mapToInt(it -> it.get(i).length()).max().orElse(0))
            .toArray();
    return "**%s**\n\n".formatted(title)
        + lines.stream().map(it -> line(it, widths)).collect(Collectors.joining("\n"))
        + "\n";
  }

  private static String line(List<String> cells, int[] widths) {
    return IntStream.range(0, cells.size())
        .mapToObj(i -> cells.get(i) + " ".repeat(widths[i] - cells.get(i).length()))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  /** Formats a cell with about three significant digits, and a dash for a number that is absent. */
  static String text(Object cell) {
    if (cell instanceof Double it) {
      double size = Math.abs(it);
      int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size > 0 && size < 0.1 ? 4 : 2;
      return it.isNaN() ? "-" : String.format(Locale.ROOT, "%,." + decimals + "f", it);
    }
    return cell instanceof Number it
        ? String.format(Locale.ROOT, "%,d", it.longValue())
        : cell.toString();
  }
}
