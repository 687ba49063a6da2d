package dev.once.examples.planning;

import dev.once.jobs.JobRun;
import dev.once.spring.OnceJob;
import org.springframework.stereotype.Component;

/** Recounts a project, in the transaction that completes its job. */
@Component
class DashboardRefresher {
  static final String QUEUE = "dashboard";
  static final String REFRESH = "refresh";

  private final DashboardRepository dashboards;

  DashboardRefresher(DashboardRepository dashboards) {
    this.dashboards = dashboards;
  }

  /** Recounts. Jobs may run twice, in any order and concurrently: each counts the current state. */
  @OnceJob(queue = QUEUE, type = REFRESH, attempts = 5)
  void refresh(Task task, JobRun run) {
    dashboards.refresh(run.key().tenant(), task.target());
  }
}
