package dev.once.console;

import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.RecordCensus;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Shows rates of this process, how many records there are, and alerts. */
final class LiveSection implements Section {
  private final ConsoleRates rates;
  private final Optional<Cached<RecordCensus>> census;
  private final Alerts alerts;

  LiveSection(ConsoleRates rates, Optional<JdbcRecordStore> records, InstantSource clock) {
    this.rates = rates;
    this.census = records.map(it -> new Cached<>(it::census));
    this.alerts = new Alerts(clock);
  }

  @Override
  public String name() {
    return "live";
  }

  @Override
  public Set<String> views() {
    return Set.of("");
  }

  @Override
  public Json read(String view, Query query) {
    RateWindow.Counts counts = rates.read(query.user().tenants());
    Json json =
        new Json()
            .put("slot_seconds", (int) RateWindow.SLOT.toSeconds())
            .put("ends_at", counts.endsAt())
            .putAll(
                "series",
                List.of(RateWindow.Kind.values()),
                it -> new Json().put("name", it.word()).putNumbers("counts", counts.of(it)));
    // The census counts all tenants.
    Optional<RecordCensus> records =
        query.user().tenants().isPresent() ? Optional.empty() : census.map(Cached::get);
    records.ifPresent(
        it ->
            json.put("entries", Counts.text(it.entries(), false))
                .put("stale", Counts.text(it.stale(), it.stale() >= RecordCensus.MAX_COUNT)));
    return json.putAll(
        "alerts",
        alerts.of(counts, records),
        it ->
            new Json()
                .put("name", it.name())
                .put("active", it.isActive())
                .put("what", it.what())
                .put("then", it.then()));
  }

  @Override
  public Set<ConsoleAction> actions() {
    return Set.of();
  }

  @Override
  public Json perform(ConsoleAction action, Command command) {
    throw new AssertionError(action);
  }
}
