package dev.once.console;

/** A section that knows what happened to a key, or with an id. */
interface TimelineSource {
  /** Adds what {@code user} may see. */
  void collect(String tenant, String key, ConsoleUser user, TimelineEntries into);
}
