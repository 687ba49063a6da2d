package dev.once.examples.planning;

import static org.springframework.http.MediaType.APPLICATION_JSON_VALUE;

import dev.once.http.IfMatch;
import dev.once.spring.Idempotent;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Projects")
class ProjectController {
  private final ProjectService projects;

  ProjectController(ProjectService projects) {
    this.projects = projects;
  }

  @Idempotent
  @CreateAnswers
  @PostMapping(path = "/v1/projects", consumes = APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  ResponseEntity<Project> create(Call call, @Valid @RequestBody NewProject body) {
    return Answers.created(projects.create(call, body));
  }

  @GetMapping("/v1/projects")
  Page<Project> list(
      Call call,
      @RequestParam(defaultValue = Paging.DEFAULT_LIMIT) int limit,
      @RequestParam(required = false) @Nullable String cursor) {
    return projects.list(call, Paging.of(limit, cursor));
  }

  @ReadAnswers
  @GetMapping("/v1/projects/{id}")
  ResponseEntity<Project> get(Call call, @PathVariable UUID id) {
    return Answers.ok(projects.get(call, id));
  }

  @Idempotent
  @ChangeAnswers
  @PatchMapping(path = "/v1/projects/{id}", consumes = APPLICATION_JSON_VALUE)
  ResponseEntity<Project> patch(
      Call call, @PathVariable UUID id, IfMatch ifMatch, @Valid @RequestBody ProjectPatch body) {
    return Answers.ok(projects.patch(call, id, ifMatch, body));
  }

  @Idempotent
  @ChangeAnswers
  @PostMapping("/v1/projects/{id}/archive")
  ResponseEntity<Project> archive(Call call, @PathVariable UUID id, IfMatch ifMatch) {
    return Answers.ok(projects.archive(call, id, ifMatch));
  }

  @Idempotent
  @ChangeAnswers
  @PostMapping("/v1/projects/{id}/unarchive")
  ResponseEntity<Project> unarchive(Call call, @PathVariable UUID id, IfMatch ifMatch) {
    return Answers.ok(projects.unarchive(call, id, ifMatch));
  }
}
