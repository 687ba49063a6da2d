package dev.once.redis;

import dev.once.Key;

/** The name of a record in Redis: prefix, tenant, scope and value, with a colon between each. */
final class RecordKey {
  private RecordKey() {}

  /** Two keys never share a name, and none chooses its place in a cluster. */
  static String of(String prefix, Key key) {
    StringBuilder name = new StringBuilder(KeyNames.USUAL_CHARS).append(prefix);
    KeyNames.append(name.append(':'), key.tenant());
    KeyNames.append(name.append(':'), key.scope());
    KeyNames.append(name.append(':'), key.value());
    return name.toString();
  }
}
