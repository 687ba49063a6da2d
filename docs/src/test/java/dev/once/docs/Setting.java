package dev.once.docs;

import dev.once.testkit.internal.GeneratedPage;
import java.util.List;

/**
 * A setting of the starter.
 *
 * @param name its name
 * @param type its values, in words of a page
 * @param usual its default; empty if it has none
 * @param description what it says
 */
record Setting(String name, String type, String usual, String description) {
  /** Returns the name of the page's section: the first two parts, or one if there are no more. */
  String section() {
    String[] parts = name.split("\\.", 4);
    boolean isOfOnce = parts[0].equals("once");
    return isOfOnce ? parts.length < 3 ? "once" : "once." + parts[1] : "management";
  }

  String row() {
    String value = usual.isEmpty() ? "" : "`" + usual + "`";
    return GeneratedPage.row(List.of("`" + name + "`", type, value, description));
  }
}
