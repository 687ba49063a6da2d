package dev.once.examples.planning;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a service reports to Prometheus: the labels of each sample, by the name of its metric. */
record Scrape(Map<String, List<Map<String, String>>> samples) {
  private static final Pattern SAMPLE = Pattern.compile("^(\\w+)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  static Scrape of(String text) {
    Map<String, List<Map<String, String>>> samples = new HashMap<>();
    for (String line : text.lines().filter(it -> !it.startsWith("#")).toList()) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.find()) {
        Map<String, String> labels = new HashMap<>();
        Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
        while (label.find()) {
          labels.put(label.group(1), label.group(2));
        }
        samples.computeIfAbsent(sample.group(1), it -> new ArrayList<>()).add(labels);
      }
    }
    return new Scrape(samples);
  }

  /** Returns whether the metric is reported with these labels and values. */
  boolean has(PromQl.Selector selector) {
    List<Map<String, String>> found = samples.getOrDefault(selector.metric(), List.of());
    return !found.isEmpty()
        && selector.labels().stream()
            .allMatch(label -> found.stream().anyMatch(sample -> hasLabel(sample, label)));
  }

  private static boolean hasLabel(Map<String, String> sample, PromQl.Label label) {
    String value = sample.get(label.name());
    return value != null && (label.value().isEmpty() || label.value().equals(value));
  }
}
