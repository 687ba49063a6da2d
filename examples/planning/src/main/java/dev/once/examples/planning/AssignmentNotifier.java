package dev.once.examples.planning;

import dev.once.jobs.JobRun;
import dev.once.spring.OnceJob;
import org.springframework.stereotype.Component;

/**
 * Notifies collaborators of their assignments. A sent message cannot be rolled back with a
 * transaction, so the engine records that it was sent.
 */
@Component
class AssignmentNotifier {
  static final String QUEUE = "notify";
  static final String ASSIGNMENT = "assignment";

  private final AssignmentRepository assignments;
  private final Notifications notifications;

  AssignmentNotifier(AssignmentRepository assignments, Notifications notifications) {
    this.assignments = assignments;
    this.notifications = notifications;
  }

  /** Sends one notification per move, each with the mission that is current when the job runs. */
  @OnceJob(queue = QUEUE, type = ASSIGNMENT, mode = OnceJob.Mode.LEASED, attempts = 5)
  void tell(Task task, JobRun run) {
    assignments
        .find(run.key().tenant(), task.target())
        .ifPresent(it -> notifications.send(Notification.of(run, it)));
  }
}
