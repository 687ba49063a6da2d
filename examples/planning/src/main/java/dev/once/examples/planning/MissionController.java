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
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Missions")
class MissionController {
  private final MissionService missions;

  MissionController(MissionService missions) {
    this.missions = missions;
  }

  @Idempotent
  @CreateAnswers
  @NotFoundAnswer
  @PostMapping(path = "/v1/projects/{id}/missions", consumes = APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  ResponseEntity<Mission> create(
      Call call, @PathVariable UUID id, @Valid @RequestBody NewMission body) {
    return Answers.created(missions.create(call, id, body));
  }

  @ReadAnswers
  @GetMapping("/v1/projects/{id}/missions")
  Page<Mission> list(
      Call call,
      @PathVariable UUID id,
      @RequestParam(defaultValue = Paging.DEFAULT_LIMIT) int limit,
      @RequestParam(required = false) @Nullable String cursor) {
    return missions.list(call, id, Paging.of(limit, cursor));
  }

  @ReadAnswers
  @GetMapping("/v1/missions/{id}")
  ResponseEntity<Mission> get(Call call, @PathVariable UUID id) {
    return Answers.ok(missions.get(call, id));
  }

  @Idempotent
  @ChangeAnswers
  @PatchMapping(path = "/v1/missions/{id}", consumes = APPLICATION_JSON_VALUE)
  ResponseEntity<Mission> patch(
      Call call, @PathVariable UUID id, IfMatch ifMatch, @Valid @RequestBody MissionPatch body) {
    if (body.changesNothing()) {
      throw Refusal.invalid("body", "must have a member to change");
    }
    return Answers.ok(missions.patch(call, id, ifMatch, body));
  }

  @Idempotent
  @NotFoundAnswer
  @DeleteMapping("/v1/missions/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(Call call, @PathVariable UUID id, IfMatch ifMatch) {
    missions.delete(call, id, ifMatch);
  }

  @Idempotent
  @ChangeAnswers
  @PostMapping("/v1/missions/{id}/lock")
  ResponseEntity<Mission> lock(Call call, @PathVariable UUID id, IfMatch ifMatch) {
    return Answers.ok(missions.lock(call, id, ifMatch));
  }

  @Idempotent
  @ChangeAnswers
  @PostMapping("/v1/missions/{id}/archive")
  ResponseEntity<Mission> archive(Call call, @PathVariable UUID id, IfMatch ifMatch) {
    return Answers.ok(missions.archive(call, id, ifMatch));
  }

  @Idempotent
  @ChangeAnswers
  @PostMapping("/v1/missions/{id}/unarchive")
  ResponseEntity<Mission> unarchive(Call call, @PathVariable UUID id, IfMatch ifMatch) {
    return Answers.ok(missions.unarchive(call, id, ifMatch));
  }
}
