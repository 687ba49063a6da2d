package dev.once.cli;

import dev.once.events.Event;
import dev.once.events.ProcessedEvent;

/** An event that is redriven: as the registry knows it, as the log has it, and where it goes. */
record RedriveTarget(ProcessedEvent processed, Event event, String topic) {}
