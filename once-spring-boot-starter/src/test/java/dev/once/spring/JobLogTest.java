package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.StoreException;
import dev.once.jobs.JobEvent;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is logged about jobs. */
class JobLogTest {
  private static final JobKey KEY = new JobKey("acme", "mail", "welcome", "secret");
  private static final String HASH = KEY.toKey().shortHash();

  private final LogLines lines = LogLines.of(JobLog.class);
  private final JobLog log = new JobLog();

  @AfterEach
  void close() {
    lines.close();
  }

  // A21
  @Test
  void warnsOfAJobThatDiedWithItsReason() {
    log.on(new JobEvent.Died(KEY, 7, 5, "no such address"));

    assertThat(lines.lines())
        .containsExactly(
            "WARN job.died tenant=acme queue=mail type=welcome job_id=7 key_hash=%s attempt=5"
                    .formatted(HASH)
                + " reason=\"no such address\"");
  }

  @Test
  void logsSuccessesAtDebugLevel() {
    log.on(new JobEvent.Added(KEY, 7));
    log.on(new JobEvent.Joined(KEY, 7, JobState.READY));
    log.on(new JobEvent.Started(KEY, 7, 1, 1, Duration.ZERO));
    log.on(new JobEvent.Completed(KEY, 7, 1, 1, Duration.ofMillis(3)));

    assertThat(lines.lines()).hasSize(4).allMatch(it -> it.startsWith("DEBUG job."));
  }

  @Test
  void tellsOfWhatHasToBeDoneAgain() {
    log.on(new JobEvent.Failed(KEY, 7, 1, Duration.ofSeconds(1), "no answer"));
    log.on(new JobEvent.Returned(KEY, 7, Duration.ZERO, "its worker stops"));
    log.on(new JobEvent.Rescued(3));
    log.on(new JobEvent.LeaseLost(KEY, 7, 2));

    assertThat(lines.lines())
        .extracting(it -> it.split(" ", -1)[0] + " " + it.split(" ", -1)[1])
        .containsExactly(
            "INFO job.failed", "INFO job.returned", "INFO job.rescued", "WARN job.lease_lost");
  }

  @Test
  void warnsOfTroubleOnceAndNotAgainEveryMoment() {
    StoreException cause = new StoreException("connection refused", null);
    for (String what : List.of("claiming jobs", "claiming jobs", "maintaining jobs")) {
      log.on(new JobEvent.Trouble(what, cause));
    }

    assertThat(lines.lines())
        .containsExactly(
            "WARN job.trouble what=\"claiming jobs\"",
            "DEBUG job.trouble what=\"claiming jobs\"",
            "WARN job.trouble what=\"maintaining jobs\"");
  }

  // E8
  @Test
  void masksPhoneNumbersInReasons() {
    log.on(new JobEvent.Died(KEY, 7, 5, "cannot reach +27 82 123 4567"));
    log.on(new JobEvent.Failed(KEY, 7, 1, Duration.ZERO, "cannot reach +27 82 123 4567"));
    log.on(new JobEvent.Returned(KEY, 7, Duration.ZERO, "cannot reach +27 82 123 4567"));

    assertThat(lines.lines())
        .hasSize(3)
        .allMatch(it -> it.contains("cannot reach +") && !it.contains("123 4567"));
  }

  // A26
  @Test
  void neverLogsAKey() {
    log.on(new JobEvent.Added(KEY, 7));
    log.on(new JobEvent.Died(KEY, 7, 5, "no"));

    assertThat(lines.lines()).hasSize(2).noneMatch(it -> it.contains("secret"));
  }
}
