package dev.once.redis;

import dev.once.Key;

/** The name of a record in Redis: prefix, tenant, scope and value, with a colon between each. */
final class RecordKey {
  private RecordKey() {}

  /** Two keys never share a name, and none chooses its place in a cluster. */
  static String of(String prefix, Key key) {
    return prefix + ":" + KeyNames.of(key.tenant(), key.scope(), key.value());
  }
}
