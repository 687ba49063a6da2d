package dev.once.redis;

/**
 * Builds names in Redis: parts with a colon between them. A colon inside a part is escaped, so that
 * two records never share a name. So is an opening brace: Redis Cluster would choose the node only
 * by the text between braces, and a scope such as {@code /projects/{id}} would put every record of
 * a route on one node.
 */
final class KeyNames {
  static final int USUAL_CHARS = 96;

  private KeyNames() {}

  static String of(String... parts) {
    StringBuilder name = new StringBuilder(USUAL_CHARS);
    for (int i = 0; i < parts.length; i++) {
      if (i > 0) {
        name.append(':');
      }
      append(name, parts[i]);
    }
    return name.toString();
  }

  /** Appends {@code part}, escaped. */
  static void append(StringBuilder name, String part) {
    if (isPlain(part)) {
      name.append(part);
      return;
    }
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      switch (c) {
        case '%' -> name.append("%25");
        case ':' -> name.append("%3A");
        case '{' -> name.append("%7B");
        default -> name.append(c);
      }
    }
  }

  private static boolean isPlain(String part) {
    return part.indexOf(':') < 0 && part.indexOf('%') < 0 && part.indexOf('{') < 0;
  }
}
