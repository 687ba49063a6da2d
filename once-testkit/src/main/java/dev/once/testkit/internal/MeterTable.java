package dev.once.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The meters of a module as a table of a page, one row per name. */
public final class MeterTable {
  /** A name of a meter; what is compared with a text is the scope of a key. */
  private static final Pattern NAME =
      Pattern.compile(
          "(?<!equals\\()\"((?:once_|webhook_|step_|payment_|idempotency[_.])[a-z_.]+)\"");

  /** Tags with few values, which the page lists. */
  private static final Set<String> LISTED =
      Set.of("event", "state", "outcome", "tier", "result", "as");

  private final Map<String, Row> rows = new TreeMap<>();

  private record Row(String kind, Map<String, Set<String>> tags, String description) {}

  /** Adds a meter; one of the same name adds the values of its tags to the row. */
  public void add(String name, String kind, Map<String, String> tags, String description) {
    Row row = rows.computeIfAbsent(name, it -> new Row(kind, new TreeMap<>(), description));
    tags.forEach((tag, value) -> row.tags().computeIfAbsent(tag, it -> new TreeSet<>()).add(value));
  }

  /** Fails if a class that uses Micrometer names a meter that was not added. */
  public void requireAllOf(Path sources) throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(sources)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
        String text = Files.readString(file);
        if (text.contains("import io.micrometer.core.instrument.")) {
          NAME.matcher(text).results().map(it -> it.group(1)).forEach(names::add);
        }
      }
    }
    assertThat(names).isNotEmpty();
    assertThat(rows.keySet()).containsAll(names);
  }

  /** Returns the table. */
  public String text() {
    StringBuilder table = new StringBuilder(GeneratedPage.head("meter", "kind", "tags", "meaning"));
    rows.forEach(
        (name, row) ->
            table.append(
                GeneratedPage.row(
                    List.of("`" + name + "`", row.kind(), tags(row), row.description()))));
    return table.toString();
  }

  private static String tags(Row row) {
    return row.tags().entrySet().stream()
        .map(it -> "`" + it.getKey() + "`" + values(it.getKey(), it.getValue()))
        .collect(Collectors.joining("; "));
  }

  private static String values(String tag, Set<String> values) {
    return LISTED.contains(tag) ? ": " + String.join(", ", values) : "";
  }
}
