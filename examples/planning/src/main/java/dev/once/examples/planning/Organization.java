package dev.once.examples.planning;

import java.util.UUID;

/** An organization for which projects are planned. */
record Organization(UUID id, String name, long version) implements Versioned {
  static final String KIND = "organization";

  @Override
  public String kind() {
    return KIND;
  }
}
