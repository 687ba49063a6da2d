package dev.once.spring;

import dev.once.Recovery;
import dev.once.http.Contract;
import dev.once.http.Route;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.spi.RecordStore;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** Logs, when the application is ready, how its requests are guarded. */
final class StartLine implements ApplicationListener<ApplicationReadyEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(StartLine.class);

  private final Contract contract;
  private final Route.Mode mode;
  private final RecordStore store;
  private final OnceProperties.Http settings;

  StartLine(Contract contract, Route.Mode mode, RecordStore store, OnceProperties.Http settings) {
    this.contract = contract;
    this.mode = mode;
    this.store = store;
    this.settings = settings;
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    LogLine line =
        LogLine.of(LOG, Level.INFO, "once.started")
            .with("contract", contract.name())
            .with("mode", mode.name().toLowerCase(Locale.ROOT))
            .with("store", store.getClass().getSimpleName());
    if (store instanceof JdbcRecordStore) {
      line.with("schema", JdbcSchema.VERSION);
    }
    line.with("enforcement", settings.enforcement().name().toLowerCase(Locale.ROOT))
        .with("unrouted", settings.unrouted().name().toLowerCase(Locale.ROOT))
        .with("after_a_crash", afterACrash())
        .write();
  }

  /** Describes what a crash between the effect of a leased route and its record means. */
  private String afterACrash() {
    return contract.terms().recovery() == Recovery.RERUN
        ? "leased routes execute again: set once.recovery=ask for payments"
        : "leased routes stay uncertain until they are reconciled";
  }
}
