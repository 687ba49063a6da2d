package dev.once.examples.planning;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;

/** A task of a project, with a start and an end. */
record Mission(
    UUID id,
    UUID projectId,
    String title,
    Instant startsAt,
    Instant endsAt,
    MissionState state,
    long version)
    implements Versioned {
  static final String KIND = "mission";

  @Override
  public String kind() {
    return KIND;
  }

  Mission locked() {
    return moved(EnumSet.of(MissionState.PLANNED), MissionState.LOCKED);
  }

  Mission archived() {
    return moved(EnumSet.of(MissionState.PLANNED, MissionState.LOCKED), MissionState.ARCHIVED);
  }

  Mission unarchived() {
    return moved(EnumSet.of(MissionState.ARCHIVED), MissionState.PLANNED);
  }

  /** Throws if the mission is archived. */
  void requireUnarchived() {
    if (state == MissionState.ARCHIVED) {
      throw Refusal.of(
          ProblemCode.MISSION_ARCHIVED,
          "Mission " + id + " is archived. Unarchive it to change it.");
    }
  }

  /** Throws unless the mission's times and assignments may still change. */
  void requirePlanned() {
    requireUnarchived();
    if (state == MissionState.LOCKED) {
      throw Refusal.of(
          ProblemCode.MISSION_LOCKED,
          "Mission " + id + " is locked: its times and assignments stay as they are.");
    }
  }

  private Mission moved(Set<MissionState> from, MissionState to) {
    if (!from.contains(state)) {
      throw Refusal.of(
          ProblemCode.TRANSITION_REFUSED,
          "A mission that is " + state.word() + " cannot become " + to.word() + ".");
    }
    return new Mission(id, projectId, title, startsAt, endsAt, to, version);
  }
}
