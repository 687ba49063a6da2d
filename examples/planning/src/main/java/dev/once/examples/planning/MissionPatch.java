package dev.once.examples.planning;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The body that changes a mission. An absent member leaves its value unchanged. */
@JsonIgnoreProperties("if_match") // the revision, which IfMatch reads
record MissionPatch(
    @Label @Nullable String title, @Nullable Instant startsAt, @Nullable Instant endsAt) {

  boolean changesNothing() {
    return title == null && !changesTimes();
  }

  boolean changesTimes() {
    return startsAt != null || endsAt != null;
  }

  Mission applyTo(Mission mission) {
    return new Mission(
        mission.id(),
        mission.projectId(),
        Objects.requireNonNullElse(title, mission.title()),
        Objects.requireNonNullElse(startsAt, mission.startsAt()),
        Objects.requireNonNullElse(endsAt, mission.endsAt()),
        mission.state(),
        mission.version());
  }
}
