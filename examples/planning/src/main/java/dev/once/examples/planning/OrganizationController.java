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
@Tag(name = "Organizations")
class OrganizationController {
  private final OrganizationService organizations;

  OrganizationController(OrganizationService organizations) {
    this.organizations = organizations;
  }

  @Idempotent
  @CreateAnswers
  @PostMapping(path = "/v1/organizations", consumes = APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  ResponseEntity<Organization> create(Call call, @Valid @RequestBody NewOrganization body) {
    return Answers.created(organizations.create(call, body));
  }

  @ReadAnswers
  @GetMapping("/v1/organizations/{id}")
  ResponseEntity<Organization> get(Call call, @PathVariable UUID id) {
    return Answers.ok(organizations.get(call, id));
  }
}
