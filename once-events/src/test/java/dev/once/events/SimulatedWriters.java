package dev.once.events;

import java.util.List;

/** The writers of a simulated history, and the log that they write. */
interface SimulatedWriters {
  /** Lets one writer take a step: begin, append, commit, roll back, retry or vanish. */
  void step();

  /** Ends all writers, some of them without a commit. */
  void finish();

  EventLog log();

  /** Returns the events that are committed, in no particular order. */
  List<Event> committed();
}
