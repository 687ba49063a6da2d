package dev.once.console;

import java.util.List;
import java.util.Set;

/** One timeline across all sections for a key, a run, an event or a correlation id. */
final class TimelineSection implements Section {
  private final List<TimelineSource> sources;

  TimelineSection(List<TimelineSource> sources) {
    this.sources = sources;
  }

  @Override
  public String name() {
    return "timeline";
  }

  @Override
  public Set<String> views() {
    return Set.of("");
  }

  @Override
  public Json read(String view, Query query) {
    String tenant = query.requireTenant();
    String key = query.require("key");
    TimelineEntries entries = new TimelineEntries();
    if (query.user().sees(tenant)) {
      sources.forEach(it -> it.collect(tenant, key, query.user(), entries));
    }
    return entries.json();
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
