package dev.once.examples.planning;

import static org.springframework.http.MediaType.APPLICATION_JSON_VALUE;

import dev.once.http.IfMatch;
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
@Tag(name = "Assignments")
class AssignmentController {
  private final AssignmentService assignments;

  AssignmentController(AssignmentService assignments) {
    this.assignments = assignments;
  }

  @Idempotent
  @CreateAnswers
  @NotFoundAnswer
  @PostMapping(path = "/v1/missions/{id}/assignments", consumes = APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  ResponseEntity<Assignment> create(
      Call call, @PathVariable UUID id, @Valid @RequestBody NewAssignment body) {
    return Answers.created(assignments.create(call, id, body));
  }

  @ReadAnswers
  @GetMapping("/v1/assignments/{id}")
  ResponseEntity<Assignment> get(Call call, @PathVariable UUID id) {
    return Answers.ok(assignments.get(call, id));
  }

  @Idempotent
  @ChangeAnswers
  @PostMapping(path = "/v1/assignments/{id}/move", consumes = APPLICATION_JSON_VALUE)
  ResponseEntity<Assignment> move(
      Call call, @PathVariable UUID id, IfMatch ifMatch, @Valid @RequestBody Move body) {
    return Answers.ok(assignments.move(call, id, ifMatch, body));
  }
}
