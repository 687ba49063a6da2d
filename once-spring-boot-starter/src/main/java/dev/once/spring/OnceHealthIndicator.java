package dev.once.spring;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.spi.RecordStore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Looks up a record that never exists. A failure may contain addresses and users of the database,
 * so it is logged, once, and not shown.
 */
final class OnceHealthIndicator implements HealthIndicator {
  private static final Logger LOG = LoggerFactory.getLogger(OnceHealthIndicator.class);
  private static final Key PROBE = new Key("once", "health", "never-claimed");

  private final RecordStore store;
  private final AtomicBoolean isDown = new AtomicBoolean();

  OnceHealthIndicator(RecordStore store) {
    this.store = store;
  }

  @Override
  public Health health() {
    try {
      store.find(PROBE);
    } catch (StoreException e) {
      if (!isDown.getAndSet(true)) {
        LOG.warn("the store does not answer", e);
      }
      return Health.down().withDetail("reason", "the store does not answer").build();
    }
    if (isDown.getAndSet(false)) {
      LOG.info("the store answers again");
    }
    return Health.up().build();
  }
}
