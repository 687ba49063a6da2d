package dev.once.spring;

import dev.once.StoreException;
import dev.once.workflow.Runs;
import dev.once.workflow.Workflows;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Removes runs that ended long ago, if the application uses workflows. */
record WorkflowsPurge(ConfigurableListableBeanFactory beans, Duration retention)
    implements AfterPurge {
  /** The name of the bean, which has tables once it is created. */
  static final String WORKFLOWS = "onceWorkflows";

  private static final Logger LOG = LoggerFactory.getLogger(WorkflowsPurge.class);

  /** A run may have thousands of entries in its history, which go with it. */
  private static final int BATCH = 100;

  /** The next run removes the rest. */
  private static final int MAX_BATCHES = 1000;

  /** The pause after a batch, in durations of the batch, as in {@link PurgeSchedule}. */
  private static final int REST = 4;

  @Override
  public void afterPurge() {
    if (beans.getSingleton(WORKFLOWS) instanceof Workflows workflows) {
      purge(workflows.runs());
    }
  }

  private void purge(Runs runs) {
    long removed = 0;
    try {
      for (int batch = 0; batch < MAX_BATCHES; batch++) {
        long began = System.nanoTime();
        int count = runs.purge(retention, BATCH);
        removed += count;
        if (count < BATCH) {
          break;
        }
        TimeUnit.NANOSECONDS.sleep(REST * (System.nanoTime() - began));
      }
      if (removed > 0) {
        LOG.info("purged {} ended runs", removed);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The application stops.
    } catch (StoreException e) {
      LOG.warn("purge failed after {} ended runs, goes on next time: {}", removed, e.toString());
    }
  }
}
