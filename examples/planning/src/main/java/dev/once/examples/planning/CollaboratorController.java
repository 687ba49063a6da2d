package dev.once.examples.planning;

import static org.springframework.http.MediaType.APPLICATION_JSON_VALUE;

import dev.once.spring.Idempotent;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Collaborators")
class CollaboratorController {
  private final CollaboratorService collaborators;

  CollaboratorController(CollaboratorService collaborators) {
    this.collaborators = collaborators;
  }

  @Idempotent
  @CreateAnswers
  @NotFoundAnswer
  @PostMapping(path = "/v1/projects/{id}/collaborators", consumes = APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  ResponseEntity<Collaborator> create(
      Call call, @PathVariable UUID id, @Valid @RequestBody NewCollaborator body) {
    return Answers.created(collaborators.create(call, id, body));
  }

  @ReadAnswers
  @GetMapping("/v1/collaborators/{id}")
  ResponseEntity<Collaborator> get(Call call, @PathVariable UUID id) {
    return Answers.ok(collaborators.get(call, id));
  }
}
