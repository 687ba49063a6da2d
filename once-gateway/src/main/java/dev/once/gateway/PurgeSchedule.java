package dev.once.gateway;

import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes expired records every hour. Several gateways may do so on one store. */
final class PurgeSchedule implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PurgeSchedule.class);
  private static final Duration INTERVAL = Duration.ofHours(1);
  private static final int BATCH = 1000;

  private final RecordAdmin store;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread purging = new Thread(task, "once-purge");
            purging.setDaemon(true);
            return purging;
          });

  PurgeSchedule(RecordAdmin store) {
    this.store = store;
  }

  void start() {
    long hour = INTERVAL.toMillis();
    long first = ThreadLocalRandom.current().nextLong(hour); // Not all gateways at one moment.
    var unused = thread.scheduleWithFixedDelay(this::purge, first, hour, TimeUnit.MILLISECONDS);
  }

  private void purge() {
    try {
      while (!Thread.interrupted() && store.purge(Purge.ofEveryTenant(BATCH)) == BATCH) {
        Thread.sleep(50);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) { // Anything else would end the schedule.
      LOG.atWarn().setCause(e).log("purge.failed");
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
