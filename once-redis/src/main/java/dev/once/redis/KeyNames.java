package dev.once.redis;

/**
 * Names in Redis: parts with a colon between them. A colon inside a part is escaped, so that two
 * records never share a name. So is a brace: Redis Cluster would take what is between two of them
 * for all there is to place by, and a scope such as {@code /projects/{id}} would put every record
 * of a route on one node.
 */
final class KeyNames {
  private KeyNames() {}

  static String of(String... parts) {
    StringBuilder name = new StringBuilder();
    for (String part : parts) {
      if (!name.isEmpty()) {
        name.append(':');
      }
      append(name, part);
    }
    return name.toString();
  }

  private static void append(StringBuilder name, String part) {
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
}
