package dev.once.examples.planning;

import java.util.UUID;

/** A project with its missions and its collaborators. */
record Project(UUID id, String name, ProjectState state, long version) implements Versioned {
  static final String KIND = "project";

  @Override
  public String kind() {
    return KIND;
  }

  Project named(String newName) {
    return new Project(id, newName, state, version);
  }

  Project archived() {
    return moved(ProjectState.ACTIVE, ProjectState.ARCHIVED);
  }

  Project unarchived() {
    return moved(ProjectState.ARCHIVED, ProjectState.ACTIVE);
  }

  /** Throws unless missions and collaborators may be added. */
  void requireActive() {
    if (state == ProjectState.ARCHIVED) {
      throw Refusal.of(
          ProblemCode.PROJECT_ARCHIVED, "The project is archived. Unarchive it to add to it.");
    }
  }

  private Project moved(ProjectState from, ProjectState to) {
    if (state != from) {
      throw Refusal.of(
          ProblemCode.TRANSITION_REFUSED,
          "The project is " + state.word() + " and must be " + from.word() + " for this.");
    }
    return new Project(id, name, to, version);
  }
}
