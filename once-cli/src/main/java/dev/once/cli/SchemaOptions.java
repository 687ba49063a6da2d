package dev.once.cli;

import dev.once.events.EventStoreSettings;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** Which modules' tables are meant, and the PostgreSQL schema of events. */
final class SchemaOptions {
  @Option(names = "--modules", split = ",")
  private List<SchemaModule> modules = List.of();

  /** Returns the modules that were named, or all, in the order in which they are applied. */
  Set<SchemaModule> modules() {
    return modules.isEmpty() ? EnumSet.allOf(SchemaModule.class) : EnumSet.copyOf(modules);
  }

  /** Returns the modules that were named, or all, and those that they need. */
  Set<SchemaModule> modulesAndNeeds() {
    Set<SchemaModule> all = EnumSet.copyOf(modules());
    modules().forEach(it -> all.addAll(it.needs()));
    return all;
  }

  boolean areNamed() {
    return !modules.isEmpty();
  }

  /** Returns the schema of events, by the variable that applications have for it. */
  static String ofEvents(Session session) {
    return EventStoreSettings.of(session.environment()).schema();
  }
}
