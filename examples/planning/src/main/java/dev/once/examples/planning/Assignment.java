package dev.once.examples.planning;

import java.util.UUID;

/** The assignment of a collaborator to a mission. */
record Assignment(UUID id, UUID missionId, UUID collaboratorId, long version) implements Versioned {
  static final String KIND = "assignment";

  @Override
  public String kind() {
    return KIND;
  }

  Assignment movedTo(UUID targetId) {
    return new Assignment(id, targetId, collaboratorId, version);
  }
}
