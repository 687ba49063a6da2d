package dev.once.spring;

import dev.once.StoreException;
import dev.once.jdbc.JdbcRecordStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports how many expired records the last purge left behind, of all tenants. They are counted
 * after each purge, also after one that failed: between two purges expired records are no trouble.
 */
final class StaleGauge implements MeterBinder, AfterPurge {
  private static final Logger LOG = LoggerFactory.getLogger(StaleGauge.class);

  private final JdbcRecordStore store;
  private volatile double stale = Double.NaN;

  StaleGauge(JdbcRecordStore store) {
    this.store = store;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (String name : List.of("idempotency_stale", "idempotency.stale_keys.count")) {
      Gauge.builder(name, this, it -> it.stale)
          .description("Expired records that the last purge left behind, up to 10000")
          .register(registry);
    }
  }

  /** Counts again. After a failed count the gauge shows NaN, not the count before. */
  @Override
  public void afterPurge() {
    try {
      stale = store.census().stale();
    } catch (StoreException e) {
      stale = Double.NaN;
      LOG.debug("expired records could not be counted", e);
    }
  }
}
