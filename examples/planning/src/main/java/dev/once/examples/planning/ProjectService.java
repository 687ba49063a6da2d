package dev.once.examples.planning;

import dev.once.http.IfMatch;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
@Transactional
class ProjectService {
  private final ProjectRepository projects;
  private final Journal journal;

  ProjectService(ProjectRepository projects, Journal journal) {
    this.projects = projects;
    this.journal = journal;
  }

  Project create(Call call, NewProject body) {
    Project created = projects.insert(call.tenant(), body.name());
    record(call, Entry.created(created, body));
    return created;
  }

  @Transactional(readOnly = true)
  Project get(Call call, UUID id) {
    return find(call, id);
  }

  @Transactional(readOnly = true)
  Page<Project> list(Call call, Paging paging) {
    return projects.list(call.tenant(), paging);
  }

  Project patch(Call call, UUID id, IfMatch ifMatch, ProjectPatch patch) {
    return change(call, id, ifMatch, "patch", patch, it -> it.named(patch.name()));
  }

  Project archive(Call call, UUID id, IfMatch ifMatch) {
    return change(call, id, ifMatch, "archive", null, Project::archived);
  }

  Project unarchive(Call call, UUID id, IfMatch ifMatch) {
    return change(call, id, ifMatch, "unarchive", null, Project::unarchived);
  }

  private Project change(
      Call call,
      UUID id,
      IfMatch ifMatch,
      String verb,
      @Nullable Object payload,
      UnaryOperator<Project> step) {
    Project before = find(call, id);
    ifMatch.require(before.tag());
    Project after =
        projects
            .update(call.tenant(), step.apply(before))
            .orElseThrow(() -> overtaken(call, before, ifMatch));
    record(call, Entry.changed(verb, before, after, payload));
    return after;
  }

  /** Answers as if this request had come after the one that changed the row first. */
  private RuntimeException overtaken(Call call, Project before, IfMatch ifMatch) {
    ifMatch.require(find(call, before.id()).tag());
    return new IllegalStateException("no row of " + before + " was updated, yet it is current");
  }

  private Project find(Call call, UUID id) {
    return projects.find(call.tenant(), id).orElseThrow(() -> Refusal.notFound(Project.KIND, id));
  }

  private void record(Call call, Entry entry) {
    journal.record(
        call, entry, Effect.searchIndex(entry.id()), Effect.dashboardRefresh(entry.id()));
  }
}
