package dev.once.examples.planning;

import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
@Transactional
class CollaboratorService {
  private final CollaboratorRepository collaborators;
  private final ProjectRepository projects;
  private final Journal journal;

  CollaboratorService(
      CollaboratorRepository collaborators, ProjectRepository projects, Journal journal) {
    this.collaborators = collaborators;
    this.projects = projects;
    this.journal = journal;
  }

  Collaborator create(Call call, UUID projectId, NewCollaborator body) {
    projects
        .findToAddTo(call.tenant(), projectId)
        .orElseThrow(() -> Refusal.notFound(Project.KIND, projectId))
        .requireActive();
    Collaborator created = collaborators.insert(call.tenant(), projectId, body);
    journal.record(call, Entry.created(created, body), Effect.dashboardRefresh(projectId));
    return created;
  }

  @Transactional(readOnly = true)
  Collaborator get(Call call, UUID id) {
    return collaborators
        .find(call.tenant(), id)
        .orElseThrow(() -> Refusal.notFound(Collaborator.KIND, id));
  }
}
