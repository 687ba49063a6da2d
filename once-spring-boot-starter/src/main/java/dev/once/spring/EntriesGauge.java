package dev.once.spring;

import dev.once.StoreException;
import dev.once.jdbc.JdbcRecordStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports how many records there are, of all tenants. */
final class EntriesGauge extends PeriodicCount implements MeterBinder {
  private static final Logger LOG = LoggerFactory.getLogger(EntriesGauge.class);

  private final JdbcRecordStore store;
  private volatile double entries = Double.NaN;

  EntriesGauge(JdbcRecordStore store) {
    super("once-entries-count");
    this.store = store;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (String name : List.of("idempotency_entries", "idempotency.cache_size.entries")) {
      Gauge.builder(name, this, it -> it.entries)
          .description("Records in the table; of many, as the database estimates it")
          .register(registry);
    }
  }

  /** After a failed count the gauge shows NaN, not the count before. */
  @Override
  void count() {
    try {
      entries = store.entries();
    } catch (StoreException e) {
      entries = Double.NaN;
      LOG.debug("records could not be counted", e);
    }
  }
}
