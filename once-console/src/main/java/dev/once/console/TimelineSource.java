package dev.once.console;

import java.util.List;

/** A section that knows what happened to a key, or with an id. */
interface TimelineSource {
  List<TimelineSearch> searches();
}
