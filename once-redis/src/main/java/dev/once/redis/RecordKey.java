package dev.once.redis;

import dev.once.Key;

/** The name of a record in Redis: prefix, tenant, scope and value, with a colon between each. */
final class RecordKey {
  private RecordKey() {}

  /**
   * Two keys never share a name: what reads as a border or an escape inside tenant or scope is
   * escaped, and after the third colon everything is value.
   */
  static String of(String prefix, Key key) {
    return prefix + ":" + escaped(key.tenant()) + ":" + escaped(key.scope()) + ":" + key.value();
  }

  private static String escaped(String part) {
    return part.indexOf(':') < 0 && part.indexOf('%') < 0
        ? part
        : part.replace("%", "%25").replace(":", "%3A");
  }
}
