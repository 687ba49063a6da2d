package dev.once.examples.planning;

import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Views")
class AuditController {
  private final AuditRepository audit;

  AuditController(AuditRepository audit) {
    this.audit = audit;
  }

  @GetMapping("/v1/audit")
  Page<AuditEvent> list(
      Call call,
      @RequestParam String resource,
      @RequestParam(defaultValue = Paging.DEFAULT_LIMIT) int limit,
      @RequestParam(required = false) @Nullable String cursor) {
    return audit.list(call.tenant(), AuditedResource.parse(resource), Paging.of(limit, cursor));
  }
}
