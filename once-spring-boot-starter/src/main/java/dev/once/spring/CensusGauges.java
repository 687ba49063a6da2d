package dev.once.spring;

import dev.once.StoreException;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.RecordCensus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports how many records there are, and how many expired ones the last purge left behind. They
 * are counted after each purge, so that reading the gauges costs nothing.
 */
final class CensusGauges implements MeterBinder, AfterPurge {
  private static final Logger LOG = LoggerFactory.getLogger(CensusGauges.class);

  private final JdbcRecordStore store;
  private volatile @Nullable RecordCensus census;

  CensusGauges(JdbcRecordStore store) {
    this.store = store;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("idempotency_entries", this, it -> it.entries())
        .description("Records in the table, as the database estimates it")
        .register(registry);
    Gauge.builder("idempotency_stale", this, it -> it.stale())
        .description("Expired records that the last purge left behind, up to 10000")
        .register(registry);
  }

  /** Counts again. After a failed count the gauges show NaN, not the count before. */
  @Override
  public void afterPurge() {
    try {
      census = store.census();
    } catch (StoreException e) {
      census = null;
      LOG.debug("records could not be counted", e);
    }
  }

  private double entries() {
    RecordCensus last = census;
    return last == null ? Double.NaN : last.entries();
  }

  private double stale() {
    RecordCensus last = census;
    return last == null ? Double.NaN : last.stale();
  }
}
