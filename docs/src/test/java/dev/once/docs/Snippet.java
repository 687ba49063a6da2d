package dev.once.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A named region of a source file: the lines between {@code // snippet: name} and {@code // end},
 * or {@code # snippet: name} and {@code # end} in a language whose comments begin so.
 */
record Snippet(String file, String name) {
  private static final Pattern COMMENT = Pattern.compile("<!-- snippet: (\\S+)#(\\S+) -->");

  /** Returns the snippet that a line of a page names. */
  static Optional<Snippet> askedForBy(String line) {
    Matcher comment = COMMENT.matcher(line.strip());
    return comment.matches()
        ? Optional.of(new Snippet(comment.group(1), comment.group(2)))
        : Optional.empty();
  }

  /** Returns the lines of the region without their common indentation. */
  List<String> lines() {
    List<String> source = Repository.text(Repository.ROOT.resolve(file)).lines().toList();
    List<String> region = new ArrayList<>();
    boolean inside = false;
    for (String line : source) {
      if (isComment(line, "snippet: " + name)) {
        inside = true;
      } else if (inside && isComment(line, "end")) {
        return outdented(withoutBlankEnd(region));
      } else if (inside) {
        region.add(line);
      }
    }
    throw new IllegalStateException(
        file + " must have the lines \"// snippet: " + name + "\" and, after it, \"// end\"");
  }

  private static boolean isComment(String line, String text) {
    return line.strip().equals("// " + text) || line.strip().equals("# " + text);
  }

  private static List<String> withoutBlankEnd(List<String> lines) {
    int end = lines.size();
    while (end > 0 && lines.get(end - 1).isBlank()) {
      end--;
    }
    return lines.subList(0, end);
  }

  private static List<String> outdented(List<String> lines) {
    int indent =
        lines.stream()
            .filter(it -> !it.isBlank())
            .mapToInt(it -> it.length() - it.stripLeading().length())
            .min()
            .orElse(0);
    return lines.stream().map(it -> it.isBlank() ? "" : it.substring(indent)).toList();
  }
}
