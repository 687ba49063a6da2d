package dev.once.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of text under named columns. Its Markdown is aligned, so it reads as plain text too. */
final class Table {
  private final String title;
  private final List<String> columns;
  private final List<List<String>> rows = new ArrayList<>();

  Table(String title, String... columns) {
    this.title = title;
    this.columns = List.of(columns);
  }

  /** Adds a row of texts and numbers. */
  Table row(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "a row must have %d cells, got %d".formatted(columns.size(), cells.length));
    }
    rows.add(Arrays.stream(cells).map(Table::text).toList());
    return this;
  }

  List<List<String>> rows() {
    return rows;
  }

  String toMarkdown() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(columns);
    lines.add(columns.stream().map(it -> "---").toList());
    lines.addAll(rows);
    int[] widths =
        IntStream.range(0, columns.size())
            .map(i -> lines.stream().mapToInt(it -> it.get(i).length()).max().orElse(0))
            .toArray();
    return "**"
        + title
        + "**\n\n"
        + lines.stream().map(it -> line(it, widths)).collect(Collectors.joining("\n"))
        + "\n";
  }

  private static String line(List<String> cells, int[] widths) {
    return IntStream.range(0, cells.size())
        .mapToObj(i -> cells.get(i) + " ".repeat(widths[i] - cells.get(i).length()))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  /** Three digits say enough: the rest is noise. */
  private static String text(Object cell) {
    if (cell instanceof Double it) {
      int decimals = Math.abs(it) >= 100 ? 0 : Math.abs(it) >= 10 ? 1 : 2;
      return String.format(Locale.ROOT, "%,." + decimals + "f", it);
    }
    return cell instanceof Number it
        ? String.format(Locale.ROOT, "%,d", it.longValue())
        : cell.toString();
  }
}
