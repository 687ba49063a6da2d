package dev.once.spring;

import dev.once.jobs.JobEvent;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobListener;
import dev.once.json.Redactor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs each event of jobs. Keys and payloads are never logged, and phone numbers in reasons are
 * masked.
 */
final class JobLog implements JobListener {
  private static final Logger LOG = LoggerFactory.getLogger(JobLog.class);

  private final WarningThrottle warnings = new WarningThrottle();

  @Override
  public void on(JobEvent event) {
    if (event instanceof JobEvent.Added it) {
      about(Level.DEBUG, "job.added", it.key(), it.id()).write();
    } else if (event instanceof JobEvent.Joined it) {
      about(Level.DEBUG, "job.joined", it.key(), it.id()).with("state", it.state()).write();
    } else if (event instanceof JobEvent.Started it) {
      about(Level.DEBUG, "job.started", it.key(), it.id()).with("attempt", it.attempt()).write();
    } else if (event instanceof JobEvent.Completed it) {
      about(Level.DEBUG, "job.completed", it.key(), it.id())
          .with("attempt", it.attempt())
          .with("took", it.took())
          .write();
    } else {
      warn(event);
    }
  }

  private void warn(JobEvent event) {
    if (event instanceof JobEvent.Failed it) {
      about(Level.INFO, "job.failed", it.key(), it.id())
          .with("attempt", it.attempt())
          .with("again_in", it.delay())
          .with("reason", Redactor.maskPhones(it.reason()))
          .write();
    } else if (event instanceof JobEvent.Returned it) {
      about(Level.INFO, "job.returned", it.key(), it.id())
          .with("again_in", it.delay())
          .with("reason", Redactor.maskPhones(it.reason()))
          .write();
    } else if (event instanceof JobEvent.Died it) {
      about(Level.WARN, "job.died", it.key(), it.id())
          .with("attempt", it.attempt())
          .with("reason", Redactor.maskPhones(it.reason()))
          .write();
    } else if (event instanceof JobEvent.LeaseLost it) {
      about(Level.WARN, "job.lease_lost", it.key(), it.id()).with("fence", it.fence()).write();
    } else if (event instanceof JobEvent.Rescued it) {
      LogLine.of(LOG, Level.INFO, "job.rescued").with("jobs", it.jobs()).write();
    } else if (event instanceof JobEvent.Purged it) {
      LogLine.of(LOG, Level.INFO, "job.purged").with("keys", it.keys()).write();
    } else if (event instanceof JobEvent.Trouble it) {
      LogLine.of(LOG, warnings.levelOf(it.what()), "job.trouble")
          .with("what", it.what())
          .cause(it.cause())
          .write();
    } else {
      throw new AssertionError("unhandled event " + event.getClass());
    }
  }

  private static LogLine about(Level level, String event, JobKey key, long id) {
    return LogLine.of(LOG, level, event)
        .with("tenant", key.tenant())
        .with("queue", key.queue())
        .with("type", key.type())
        .with("job_id", id)
        .with("key_hash", key.toKey()::shortHash);
  }
}
