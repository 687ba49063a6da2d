package dev.once.examples.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out which metrics an expression of Prometheus reads, and with which labels. */
final class PromQl {
  private static final Pattern GROUPING = Pattern.compile("\\bby\\s*\\(([^)]*)\\)");
  private static final Pattern LABEL_VALUES =
      Pattern.compile("label_values\\(\\s*(\\w+)\\s*,\\s*(\\w+)\\s*\\)");
  private static final Pattern METRIC =
      Pattern.compile("([a-zA-Z_]\\w*)\\s*(?:\\{([^}]*)})?(?!\\w)(?!\\s*\\()");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*=~?\\s*\"([^\"]*)\"");
  private static final Set<String> KEYWORDS = Set.of("and", "or", "unless");

  private PromQl() {}

  /** A label, and a value that it must have somewhere; empty if any value will do. */
  record Label(String name, String value) {}

  /** One metric and its labels. */
  record Selector(String metric, List<Label> labels) {}

  static List<Selector> selectors(String expression) {
    String text = LABEL_VALUES.matcher(expression).replaceAll("sum by ($2) ($1)");
    Set<String> groups = new TreeSet<>();
    GROUPING
        .matcher(text)
        .results()
        .forEach(it -> groups.addAll(List.of(it.group(1).strip().split("\\s*,\\s*", -1))));
    String plain =
        GROUPING
            .matcher(text)
            .replaceAll("")
            .replaceAll("\\[[^]]*]", "")
            .replaceAll("\\boffset\\s+\\w+", "");
    List<Selector> selectors = new ArrayList<>();
    Matcher metric = METRIC.matcher(plain);
    while (metric.find()) {
      if (!KEYWORDS.contains(metric.group(1))) {
        String inBraces = metric.group(2) == null ? "" : metric.group(2);
        selectors.add(new Selector(metric.group(1), labels(inBraces, groups)));
      }
    }
    return selectors;
  }

  private static List<Label> labels(String inBraces, Set<String> groups) {
    List<Label> labels = new ArrayList<>();
    groups.forEach(it -> labels.add(new Label(it, "")));
    Matcher matcher = MATCHER.matcher(inBraces);
    while (matcher.find()) {
      String value = matcher.group(2);
      // A variable of the dashboard has any value.
      for (String it : value.startsWith("$") ? List.of("") : List.of(value.split("\\|", -1))) {
        labels.add(new Label(matcher.group(1), it));
      }
    }
    return labels;
  }
}
