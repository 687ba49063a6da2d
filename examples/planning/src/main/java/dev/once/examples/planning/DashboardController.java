package dev.once.examples.planning;

import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Views")
class DashboardController {
  private final DashboardRepository dashboards;

  DashboardController(DashboardRepository dashboards) {
    this.dashboards = dashboards;
  }

  @ReadAnswers
  @GetMapping("/v1/projects/{id}/dashboard")
  Dashboard get(Call call, @PathVariable UUID id) {
    return dashboards.find(call.tenant(), id).orElseThrow(() -> Refusal.notFound(Project.KIND, id));
  }
}
