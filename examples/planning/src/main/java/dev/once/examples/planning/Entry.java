package dev.once.examples.planning;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one successful write did to one resource.
 *
 * @param prior the revision before, null if there was none
 * @param current the revision from now on, null if the resource is gone
 * @param version counts the writes to the resource, the one that removes it included
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
