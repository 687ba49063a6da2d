package dev.once.examples.tutorial;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes the answers of two runs comparable: ids are numbered in the order in which they first
 * occur, so that an id that is repeated in one run must be repeated in the other; dates are left
 * out; and headers, whose order has no meaning, are sorted.
 */
final class Answers {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final String END_OF_HEADERS = "\n\n";

  private final Map<String, String> ids = new HashMap<>();

  String comparable(String answer) {
    int end = answer.indexOf(END_OF_HEADERS);
    return end < 0
        ? numbered(answer)
        : sorted(answer.substring(0, end))
            + END_OF_HEADERS
            + numbered(answer.substring(end).strip());
  }

  private String numbered(String body) {
    return ID.matcher(body)
        .replaceAll(it -> ids.computeIfAbsent(it.group(), id -> "id " + (ids.size() + 1)));
  }

  private static String sorted(String head) {
    return head.toLowerCase(Locale.ROOT)
        .lines()
        .map(it -> it.startsWith("date: ") ? "date: (now)" : it)
        .sorted()
        .collect(Collectors.joining("\n"));
  }
}
