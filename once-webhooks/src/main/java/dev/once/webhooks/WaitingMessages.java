package dev.once.webhooks;

import dev.once.jobs.JobKey;
import dev.once.jobs.JobPage;
import dev.once.jobs.JobQuery;
import dev.once.jobs.JobState;
import dev.once.jobs.JobView;
import dev.once.jobs.Jobs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The messages of an endpoint that wait for their next attempt. */
record WaitingMessages(Jobs jobs) {
  /** Makes all of them due now. Those of an ordered endpoint stay behind their first one. */
  void release(String tenant, String endpoint, String actor) {
    Optional<JobKey> after = Optional.of(MessageKey.before(tenant, endpoint));
    while (after.isPresent() && MessageKey.isOf(after.get(), endpoint)) {
      JobPage page =
          jobs.admin()
              .list(
                  JobQuery.of(tenant)
                      .inQueue(WebhookSender.QUEUE)
                      .inState(JobState.WAITING)
                      .withLimit(JobQuery.MAX_LIMIT)
                      .after(after.get()));
      List<Long> ids =
          page.jobs().stream()
              .filter(it -> MessageKey.isOf(it.key(), endpoint))
              .map(JobView::id)
              .toList();
      if (!ids.isEmpty()) {
        jobs.admin().postpone(tenant, ids, Duration.ZERO, actor);
      }
      after = page.next();
    }
  }
}
