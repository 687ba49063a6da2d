package dev.once.inbox;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes one id of several parts, so that no two lists of parts have the same. */
final class ItemId {
  static final int MAX_CHARS = 255;

  /** Twice as much and a digest are a whole id. */
  static final int MAX_ACCOUNT_CHARS = 100;

  private ItemId() {}

  /** The parts with a slash between them; empty if one of them is of no use, or all too long. */
  static Optional<String> of(String... parts) {
    if (!Arrays.stream(parts).allMatch(it -> isUsable(it, MAX_CHARS))) {
      return Optional.empty();
    }
    // As in a JSON Pointer: a slash inside a part never reads as the border between two.
    String id =
        Arrays.stream(parts)
            .map(it -> it.replace("~", "~0").replace("/", "~1"))
            .collect(Collectors.joining("/"));
    return Optional.of(id).filter(it -> it.length() <= MAX_CHARS);
  }

  /** The first of the parts that an id was made of. */
  static String firstOf(String id) {
    int end = id.indexOf('/');
    return (end < 0 ? id : id.substring(0, end)).replace("~1", "/").replace("~0", "~");
  }

  /** Whether a text is there, not too long, and can be stored and shown. */
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
