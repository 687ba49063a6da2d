package dev.once.inbox;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Joins several parts into one id. Different lists of parts have different ids. */
final class ItemId {
  static final int MAX_CHARS = 255;

  /**
   * Escaping can double an account, and the result has to fit into an id together with a digest.
   */
  static final int MAX_ACCOUNT_CHARS = 100;

  private ItemId() {}

  /**
   * Returns the parts with a slash between them; empty if a part is unusable or the id too long.
   */
  static Optional<String> of(String... parts) {
    if (!Arrays.stream(parts).allMatch(it -> isUsable(it, MAX_CHARS))) {
      return Optional.empty();
    }
    // As in a JSON Pointer: a slash inside a part is never read as a separator.
    String id =
        Arrays.stream(parts)
            .map(it -> it.replace("~", "~0").replace("/", "~1"))
            .collect(Collectors.joining("/"));
    return Optional.of(id).filter(it -> it.length() <= MAX_CHARS);
  }

  /** Returns the first of the parts that an id was made of. */
  static String firstOf(String id) {
    int end = id.indexOf('/');
    return (end < 0 ? id : id.substring(0, end)).replace("~1", "/").replace("~0", "~");
  }

  /** Returns whether a text is not empty, not too long, and can be stored and displayed. */
  static boolean isUsable(String text, int maxChars) {
    return !text.isEmpty()
        && text.length() <= maxChars
        && text.codePoints().noneMatch(ItemId::isUseless);
  }

  private static boolean isUseless(int c) {
    return Character.isISOControl(c)
        || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }
}
