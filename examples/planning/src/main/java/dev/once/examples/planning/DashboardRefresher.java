package dev.once.examples.planning;

import dev.once.jobs.JobRun;
import dev.once.spring.OnceJob;
import org.springframework.stereotype.Component;

/** Counts what is in a project again, in the transaction that completes its job. */
@Component
class DashboardRefresher {
  static final String QUEUE = "dashboard";
  static final String REFRESH = "refresh";

  private final DashboardRepository dashboards;

  DashboardRefresher(DashboardRepository dashboards) {
    this.dashboards = dashboards;
  }

  /** Jobs may come twice, in any order and at the same time: each counts what there is by then. */
  @OnceJob(queue = QUEUE, type = REFRESH)
  void refresh(Task task, JobRun run) {
    dashboards.refresh(run.key().tenant(), task.target());
  }
}
