package dev.once.examples.planning;

import java.util.UUID;

/** A person that can be assigned to the missions of a project. */
record Collaborator(UUID id, UUID projectId, String name, String phone) implements Versioned {
  static final String KIND = "collaborator";

  @Override
  public String kind() {
    return KIND;
  }

  /** Returns a constant: a collaborator never changes. */
  @Override
  public long version() {
    return 1;
  }
}
