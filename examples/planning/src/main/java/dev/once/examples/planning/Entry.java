package dev.once.examples.planning;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The change of one resource by one successful write.
 *
 * @param prior the revision before the write, null if there was none
 * @param current the revision after the write, null if the resource was deleted
 * @param version counts the writes to the resource, including its deletion
 * @param payload the body of the request, null if it has none
 */
record Entry(
    String verb,
    String kind,
    UUID id,
    @Nullable String prior,
    @Nullable String current,
    long version,
    @Nullable Object payload) {

  static Entry created(Versioned after, Object payload) {
    return new Entry(
        "create", after.kind(), after.id(), null, after.revision(), after.version(), payload);
  }

  static Entry changed(String verb, Versioned before, Versioned after, @Nullable Object payload) {
    return new Entry(
        verb,
        after.kind(),
        after.id(),
        before.revision(),
        after.revision(),
        after.version(),
        payload);
  }

  static Entry deleted(Versioned before) {
    return new Entry(
        "delete", before.kind(), before.id(), before.revision(), null, before.version() + 1, null);
  }

  String action() {
    return kind + "." + verb;
  }
}
