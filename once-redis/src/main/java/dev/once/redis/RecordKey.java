package dev.once.redis;

import dev.once.Key;

/** The name of a record in Redis: prefix, tenant, scope and value, with a colon between each. */
final class RecordKey {
  private RecordKey() {}

  /** Returns the name. Two keys never share one, and none of them has a hash tag for a cluster. */
  static String of(String prefix, Key key) {
    StringBuilder name = new StringBuilder(KeyNames.USUAL_CHARS).append(prefix);
    KeyNames.append(name.append(':'), key.tenant());
    KeyNames.append(name.append(':'), key.scope());
    KeyNames.append(name.append(':'), key.value());
    return name.toString();
  }
}
