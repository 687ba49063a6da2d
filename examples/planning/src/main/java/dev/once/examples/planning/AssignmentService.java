package dev.once.examples.planning;

import dev.once.http.IfMatch;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Creates and moves assignments; {@link MissionService} explains the order of row locks. */
@Service
@Transactional
class AssignmentService {
  private final AssignmentRepository assignments;
  private final MissionRepository missions;
  private final CollaboratorRepository collaborators;
  private final Journal journal;

  AssignmentService(
      AssignmentRepository assignments,
      MissionRepository missions,
      CollaboratorRepository collaborators,
      Journal journal) {
    this.assignments = assignments;
    this.missions = missions;
    this.collaborators = collaborators;
    this.journal = journal;
  }

  Assignment create(Call call, UUID missionId, NewAssignment body) {
    Mission mission =
        missions.findForUpdate(call.tenant(), missionId).stream()
            .findFirst()
            .orElseThrow(() -> Refusal.notFound(Mission.KIND, missionId));
    mission.requirePlanned();
    Collaborator collaborator = collaboratorFor(call, mission, body.collaboratorId());
    requireUnassigned(call, mission, collaborator.id());
    Assignment created = assignments.insert(call.tenant(), missionId, collaborator.id());
    record(call, Entry.created(created, body), mission);
    return created;
  }

  @Transactional(readOnly = true)
  Assignment get(Call call, UUID id) {
    return assignments
        .find(call.tenant(), id)
        .orElseThrow(() -> Refusal.notFound(Assignment.KIND, id));
  }

  Assignment move(Call call, UUID id, IfMatch ifMatch, Move body) {
    Assignment before =
        assignments
            .findForUpdate(call.tenant(), id)
            .orElseThrow(() -> Refusal.notFound(Assignment.KIND, id));
    ifMatch.require(before.tag());
    Mission target = targetFor(call, before, body.missionId());
    // A transaction that locks a third mission of this collaborator must see the move.
    collaborators.findForUpdate(call.tenant(), before.collaboratorId());
    requireUnassigned(call, target, before.collaboratorId());
    Assignment after =
        assignments
            .update(call.tenant(), before.movedTo(target.id()))
            .orElseThrow(() -> overtaken(call, before, ifMatch));
    record(call, Entry.changed("move", before, after, body), target);
    return after;
  }

  /** Returns the mission to move to. Both missions of a move must still be planned. */
  private Mission targetFor(Call call, Assignment assignment, UUID targetId) {
    List<Mission> ends = missions.findForUpdate(call.tenant(), assignment.missionId(), targetId);
    Mission source = withId(ends, assignment.missionId()).orElseThrow();
    Mission target =
        withId(ends, targetId)
            .filter(it -> it.projectId().equals(source.projectId()))
            .orElseThrow(
                () -> Refusal.invalid("mission_id", "must be a mission of the same project"));
    source.requirePlanned();
    target.requirePlanned();
    return target;
  }

  private static Optional<Mission> withId(List<Mission> missions, UUID id) {
    return missions.stream().filter(it -> it.id().equals(id)).findFirst();
  }

  private Collaborator collaboratorFor(Call call, Mission mission, UUID id) {
    return collaborators
        .findForUpdate(call.tenant(), id)
        .filter(it -> it.projectId().equals(mission.projectId()))
        .orElseThrow(
            () ->
                Refusal.invalid(
                    "collaborator_id", "must be a collaborator of the mission's project"));
  }

  private void requireUnassigned(Call call, Mission mission, UUID collaboratorId) {
    if (assignments.exists(call.tenant(), mission.id(), collaboratorId)) {
      throw Refusal.of(
          ProblemCode.ALREADY_ASSIGNED, "The collaborator is assigned to that mission already.");
    }
  }

  /** Answers as if this request had come after the one that changed the row first. */
  private RuntimeException overtaken(Call call, Assignment before, IfMatch ifMatch) {
    ifMatch.require(get(call, before.id()).tag());
    return new IllegalStateException("no row of " + before + " was updated, yet it is current");
  }

  private void record(Call call, Entry entry, Mission mission) {
    journal.record(
        call,
        entry,
        Effect.dashboardRefresh(mission.projectId()),
        Effect.notifyAssignment(entry.id()));
  }
}
