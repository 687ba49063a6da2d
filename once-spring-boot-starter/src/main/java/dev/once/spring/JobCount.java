package dev.once.spring;

import dev.once.StoreException;
import dev.once.jobs.Jobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts jobs for {@link JobGauges}. */
final class JobCount extends PeriodicCount {
  private static final Logger LOG = LoggerFactory.getLogger(JobCount.class);

  private final Jobs jobs;
  private final JobGauges gauges;

  JobCount(Jobs jobs, JobGauges gauges) {
    super("once-jobs-count");
    this.jobs = jobs;
    this.gauges = gauges;
  }

  @Override
  void count() {
    try {
      gauges.show(jobs.census());
    } catch (StoreException e) {
      gauges.showNothing();
      LOG.debug("jobs could not be counted", e);
    }
  }
}
