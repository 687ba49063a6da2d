package dev.once.examples.planning;

import dev.once.http.EntityTag;
import java.util.UUID;

/** A resource with a revision that changes whenever the resource does. */
interface Versioned {
  UUID id();

  long version();

  /** What kind of resource this is, as in {@code mission}. */
  String kind();

  /** The revision as clients see it in {@code ETag}: opaque, to be sent back and nothing else. */
  default String revision() {
    return Long.toString(version());
  }

  /** The revision as HTTP compares it. */
  default EntityTag tag() {
    return EntityTag.strong(revision());
  }
}
