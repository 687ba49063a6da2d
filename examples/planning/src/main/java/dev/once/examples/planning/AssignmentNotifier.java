package dev.once.examples.planning;

import dev.once.jobs.JobRun;
import dev.once.spring.OnceJob;
import org.springframework.stereotype.Component;

/**
 * Tells collaborators where they are assigned. The message leaves the house, so no transaction can
 * take it back: the engine remembers that it was sent.
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

  /** Of several moves in a row each is told, with the mission that is the last one by then. */
  @OnceJob(queue = QUEUE, type = ASSIGNMENT, mode = OnceJob.Mode.LEASED)
  void tell(Task task, JobRun run) {
    assignments
        .find(run.key().tenant(), task.target())
        .ifPresent(it -> notifications.send(Notification.of(run, it)));
  }
}
