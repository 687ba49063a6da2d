package dev.once.console;

import java.util.Set;

/**
 * A part of the console: the port between HTTP and the module whose data it shows. It knows neither
 * HTTP nor SQL.
 */
interface Section {
  /** Returns its name in paths. */
  String name();

  /** Returns what can be read, as names in paths; the empty name is the section's list. */
  Set<String> views();

  Json read(String view, Query query);

  Set<ConsoleAction> actions();

  /** Changes one thing, or throws {@link ApiException} if its state does not allow it. */
  Json perform(ConsoleAction action, Command command);
}
