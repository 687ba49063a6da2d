package dev.once.examples.planning;

import dev.once.http.IfMatch;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Missions, and the rule that a collaborator is not locked into two missions at the same time.
 *
 * <p>A transaction that changes a mission or its assignments first locks rows, always in this
 * order: the assignment that moves, the missions by id, the collaborators by id.
 *
 * <ul>
 *   <li>The mission's row serializes an assignment with a lock of the same mission. Otherwise the
 *       lock could check outdated assignments.
 *   <li>The collaborators' rows do the same for assignments to other missions, and for locks of two
 *       missions that share a collaborator. Otherwise each of two transactions could check before
 *       the other commits, and neither would see the other's change.
 *   <li>The fixed order prevents deadlocks.
 * </ul>
 *
 * <p>Reads after that see everything that was committed before (READ COMMITTED takes a new snapshot
 * for each statement).
 */
@Service
@Transactional
class MissionService {
  private final MissionRepository missions;
  private final MissionCache cache;
  private final ProjectRepository projects;
  private final CollaboratorRepository collaborators;
  private final AssignmentRepository assignments;
  private final Journal journal;

  MissionService(
      MissionRepository missions,
      MissionCache cache,
      ProjectRepository projects,
      CollaboratorRepository collaborators,
      AssignmentRepository assignments,
      Journal journal) {
    this.missions = missions;
    this.cache = cache;
    this.projects = projects;
    this.collaborators = collaborators;
    this.assignments = assignments;
    this.journal = journal;
  }

  Mission create(Call call, UUID projectId, NewMission body) {
    projects
        .findToAddTo(call.tenant(), projectId)
        .orElseThrow(() -> Refusal.notFound(Project.KIND, projectId))
        .requireActive();
    requireOrder(body.startsAt(), body.endsAt());
    Mission created = missions.insert(call.tenant(), projectId, body);
    cache.put(call.tenant(), created);
    record(call, Entry.created(created, body), created);
    return created;
  }

  @Transactional(readOnly = true)
  Mission get(Call call, UUID id) {
    return cache
        .find(call.tenant(), id)
        .filter(it -> missions.isCurrent(call.tenant(), it))
        .or(() -> missions.find(call.tenant(), id))
        .orElseThrow(() -> Refusal.notFound(Mission.KIND, id));
  }

  @Transactional(readOnly = true)
  Page<Mission> list(Call call, UUID projectId, Paging paging) {
    if (projects.find(call.tenant(), projectId).isEmpty()) {
      throw Refusal.notFound(Project.KIND, projectId);
    }
    return missions.list(call.tenant(), projectId, paging);
  }

  Mission patch(Call call, UUID id, IfMatch ifMatch, MissionPatch patch) {
    return change(call, id, ifMatch, "patch", patch, before -> patched(before, patch));
  }

  Mission lock(Call call, UUID id, IfMatch ifMatch) {
    return change(call, id, ifMatch, "lock", null, before -> locked(call, before));
  }

  Mission archive(Call call, UUID id, IfMatch ifMatch) {
    return change(call, id, ifMatch, "archive", null, Mission::archived);
  }

  Mission unarchive(Call call, UUID id, IfMatch ifMatch) {
    return change(call, id, ifMatch, "unarchive", null, Mission::unarchived);
  }

  void delete(Call call, UUID id, IfMatch ifMatch) {
    Mission mission = findForUpdate(call, id);
    ifMatch.require(mission.tag());
    mission.requirePlanned();
    if (assignments.existsFor(call.tenant(), id)) {
      // Each assignment is an aggregate with its own history; it must not end as a side effect.
      throw Refusal.of(
          ProblemCode.MISSION_ASSIGNED,
          "The mission has assignments. Move the assignments, or archive the mission.");
    }
    if (!missions.delete(call.tenant(), mission)) {
      throw overtaken(call, mission, ifMatch);
    }
    cache.remove(call.tenant(), id);
    record(call, Entry.deleted(mission), mission);
  }

  private Mission change(
      Call call,
      UUID id,
      IfMatch ifMatch,
      String verb,
      @Nullable Object payload,
      UnaryOperator<Mission> step) {
    Mission before = findForUpdate(call, id);
    ifMatch.require(before.tag());
    Mission after =
        missions
            .update(call.tenant(), step.apply(before))
            .orElseThrow(() -> overtaken(call, before, ifMatch));
    cache.put(call.tenant(), after);
    record(call, Entry.changed(verb, before, after, payload), after);
    return after;
  }

  private static Mission patched(Mission before, MissionPatch patch) {
    before.requireUnarchived();
    if (patch.changesTimes()) {
      before.requirePlanned();
    }
    Mission after = patch.applyTo(before);
    requireOrder(after.startsAt(), after.endsAt());
    return after;
  }

  private Mission locked(Call call, Mission before) {
    Mission after = before.locked();
    collaborators.lockAssignedTo(call.tenant(), before.id());
    List<UUID> overlapping = assignments.findOverlapping(call.tenant(), before);
    if (!overlapping.isEmpty()) {
      throw Refusal.of(
              ProblemCode.ASSIGNMENT_OVERLAP,
              "An assigned collaborator takes part in another mission at the same time.")
          .with("mission_ids", overlapping);
    }
    return after;
  }

  private static void requireOrder(Instant startsAt, Instant endsAt) {
    if (!startsAt.isBefore(endsAt)) {
      throw Refusal.invalid("ends_at", "must be after starts_at");
    }
  }

  private Mission findForUpdate(Call call, UUID id) {
    return missions.findForUpdate(call.tenant(), id).stream()
        .findFirst()
        .orElseThrow(() -> Refusal.notFound(Mission.KIND, id));
  }

  /** Answers as if this request had come after the one that changed the row first. */
  private RuntimeException overtaken(Call call, Mission before, IfMatch ifMatch) {
    ifMatch.require(get(call, before.id()).tag());
    return new IllegalStateException("no row of " + before + " was updated, yet it is current");
  }

  private void record(Call call, Entry entry, Mission mission) {
    journal.record(
        call,
        entry,
        Effect.searchIndex(mission.id()),
        Effect.dashboardRefresh(mission.projectId()));
  }
}
