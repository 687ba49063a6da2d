package dev.once.spring;

import dev.once.spi.RecordAdmin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Removes expired records periodically, on a thread of its own. Any number of nodes may do so at
 * once: each skips the rows that another one is removing.
 */
final class PurgeSchedule implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(PurgeSchedule.class);

  /** A batch takes milliseconds, so a longer wait means that the database does not answer. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(1);

  /** The pause after a batch, in durations of the batch: a purge takes a fifth of a processor. */
  private static final int REST = 4;

  private final RecordAdmin store;
  private final PurgeProperties settings;
  private final PurgeInterval interval;
  private final List<AfterPurge> after;
  private @Nullable Worker worker;

  PurgeSchedule(
      RecordAdmin store, PurgeProperties settings, PurgeInterval interval, List<AfterPurge> after) {
    this.store = store;
    this.settings = settings;
    this.interval = interval;
    this.after = after;
  }

  @Override
  public synchronized void start() {
    if (worker == null) {
      worker = new Worker();
      worker.start();
    }
  }

  @Override
  public synchronized void stop() {
    if (worker != null) {
      worker.end();
      worker = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return worker != null;
  }

  private final class Worker extends Thread {
    private final CountDownLatch stopped = new CountDownLatch(1);

    Worker() {
      super("once-purge");
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        Duration pause = interval.first();
        while (!stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
          purge();
          after.forEach(AfterPurge::afterPurge);
          pause = interval.next();
        }
      } catch (InterruptedException e) {
        interrupt(); // Only end() interrupts, so this thread ends here.
      }
    }

    /** Between two batches the thread stops by itself; only one that hangs is interrupted. */
    void end() {
      stopped.countDown();
      try {
        join(STOP_PATIENCE.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      interrupt();
    }

    private void purge() throws InterruptedException {
      long removed = 0;
      try {
        for (int batch = 0; batch < settings.maxBatches(); batch++) {
          long began = System.nanoTime();
          int count = store.purge(settings.step());
          removed += count;
          long rest = REST * (System.nanoTime() - began);
          if (count < settings.batch() || stopped.await(rest, TimeUnit.NANOSECONDS)) {
            break;
          }
        }
        if (removed > 0) {
          LOG.info("purged {} expired records", removed);
        }
      } catch (RuntimeException e) {
        if (stopped.getCount() > 0) {
          LOG.warn("purge failed after {} records, goes on next time: {}", removed, e.toString());
        }
      }
    }
  }
}
