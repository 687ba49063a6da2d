package dev.once.examples.planning;

import dev.once.http.EntityTag;
import java.util.UUID;

/** A resource with a revision that changes whenever the resource does. */
interface Versioned {
  UUID id();

  long version();

  /** Returns the kind of resource, as in {@code mission}. */
  String kind();

  /** Returns the revision as clients see it in {@code ETag}: opaque, only to be sent back. */
  default String revision() {
    return Long.toString(version());
  }

  /** Returns the revision as HTTP compares it. */
  default EntityTag tag() {
    return EntityTag.strong(revision());
  }
}
