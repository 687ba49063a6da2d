package dev.once.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The columns of a table that a chart is drawn from. */
record ChartColumns(String value, String label, List<String> groups) {
  Chart chart(String title, List<String> columns, List<List<Object>> rows) {
    List<Chart.Bar> bars = new ArrayList<>();
    for (List<Object> row : rows) {
      if (row.get(columns.indexOf(value)) instanceof Number number) {
        bars.add(
            new Chart.Bar(
                groups.stream()
                    .map(it -> it + ": " + Table.text(row.get(columns.indexOf(it))))
                    .collect(Collectors.joining(", ")),
                Table.text(row.get(columns.indexOf(label))),
                number.doubleValue()));
      }
    }
    return new Chart(title, value, bars);
  }
}
