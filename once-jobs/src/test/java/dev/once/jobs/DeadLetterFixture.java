package dev.once.jobs;

import dev.once.Headers;
import java.util.ArrayList;
import java.util.List;

/** Makes dead letters without the five attempts that they take. */
record DeadLetterFixture(JobDatabase database, Jobs jobs) {
  static final String TENANT = "acme";

  /** Makes a job that died in its fifth attempt. */
  long deadLetter(String tenant, String queue, String resource) {
    return deadLetter(job(tenant, queue, resource));
  }

  long deadLetter(Job job) {
    long id = jobs.enqueue(job).id();
    database.execute(
        """
        UPDATE once_job SET state = 'dead', attempt = 5, fence = 7, died_at = clock_timestamp(),
          reason = 'it failed', stack = 'at Somewhere' WHERE id = %d
        """
            .formatted(id));
    return id;
  }

  List<Long> deadLetterMany(int count, String queue) {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(deadLetter(TENANT, queue, "order-" + i));
    }
    return ids;
  }

  static Job job(String tenant, String queue, String resource) {
    return Job.of(new JobKey(tenant, queue, "send", resource))
        .withText("secret of " + resource)
        .withCorrelation(Headers.NONE.with("X-Request-ID", "r-" + resource));
  }

  String stateOf(long id) {
    return String.join("", database.query("SELECT state FROM once_job WHERE id = " + id));
  }
}
