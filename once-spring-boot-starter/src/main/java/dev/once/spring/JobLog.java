package dev.once.spring;

import dev.once.jobs.JobEvent;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobListener;
import dev.once.json.Redactor;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs each event of jobs. The message is the name of the event; the rest are key-values. Keys and
 * payloads are never logged, and phone numbers in reasons are masked.
 */
final class JobLog implements JobListener {
  private static final Logger LOG = LoggerFactory.getLogger(JobLog.class);

  /** How long further warnings are suppressed: background work that fails is retried often. */
  private static final Duration SILENCE = Duration.ofMinutes(1);

  private final Map<String, Long> warnedNanos = new ConcurrentHashMap<>();

  @Override
  public void on(JobEvent event) {
    if (event instanceof JobEvent.Added it) {
      about(Level.DEBUG, it.key(), it.id()).log("job.added");
    } else if (event instanceof JobEvent.Joined it) {
      about(Level.DEBUG, it.key(), it.id()).addKeyValue("state", it.state()).log("job.joined");
    } else if (event instanceof JobEvent.Started it) {
      attempt(about(Level.DEBUG, it.key(), it.id()), it.attempt()).log("job.started");
    } else if (event instanceof JobEvent.Completed it) {
      attempt(about(Level.DEBUG, it.key(), it.id()), it.attempt())
          .addKeyValue("took", it.took())
          .log("job.completed");
    } else {
      warn(event);
    }
  }

  private void warn(JobEvent event) {
    if (event instanceof JobEvent.Failed it) {
      attempt(about(Level.INFO, it.key(), it.id()), it.attempt())
          .addKeyValue("again_in", it.delay())
          .addKeyValue("reason", Redactor.maskPhones(it.reason()))
          .log("job.failed");
    } else if (event instanceof JobEvent.Returned it) {
      about(Level.INFO, it.key(), it.id())
          .addKeyValue("again_in", it.delay())
          .addKeyValue("reason", Redactor.maskPhones(it.reason()))
          .log("job.returned");
    } else if (event instanceof JobEvent.Died it) {
      attempt(about(Level.WARN, it.key(), it.id()), it.attempt())
          .addKeyValue("reason", Redactor.maskPhones(it.reason()))
          .log("job.died");
    } else if (event instanceof JobEvent.LeaseLost it) {
      about(Level.WARN, it.key(), it.id()).addKeyValue("fence", it.fence()).log("job.lease_lost");
    } else if (event instanceof JobEvent.Rescued it) {
      LOG.atInfo().addKeyValue("jobs", it.jobs()).log("job.rescued");
    } else if (event instanceof JobEvent.Purged it) {
      LOG.atInfo().addKeyValue("keys", it.keys()).log("job.purged");
    } else if (event instanceof JobEvent.Trouble it) {
      LOG.atLevel(isNews(it.what()) ? Level.WARN : Level.DEBUG)
          .addKeyValue("what", it.what())
          .setCause(it.cause())
          .log("job.trouble");
    } else {
      throw new AssertionError("unhandled event " + event.getClass());
    }
  }

  private boolean isNews(String what) {
    long now = System.nanoTime();
    Long last = warnedNanos.get(what);
    boolean isNews = last == null || now - last >= SILENCE.toNanos();
    if (isNews) {
      warnedNanos.put(what, now);
    }
    return isNews;
  }

  private static LoggingEventBuilder about(Level level, JobKey key, long id) {
    return LOG.atLevel(level)
        .addKeyValue("tenant", key.tenant())
        .addKeyValue("queue", key.queue())
        .addKeyValue("type", key.type())
        .addKeyValue("job_id", id)
        .addKeyValue("key_hash", key.toKey()::shortHash);
  }

  private static LoggingEventBuilder attempt(LoggingEventBuilder line, int attempt) {
    return line.addKeyValue("attempt", attempt);
  }
}
