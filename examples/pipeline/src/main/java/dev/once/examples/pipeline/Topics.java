package dev.once.examples.pipeline;

import dev.once.events.Event;
import java.util.List;
import java.util.stream.Stream;

/** The topics of the pipeline. */
final class Topics {
  static final String INSTANCES = "instance_events";
  static final String ONTOLOGIES = "ontology_events";
  static final String PROJECTION_DEAD_LETTERS = "projection_dlq";
  static final String INSTANCE_DEAD_LETTERS = "instance_dlq";
  static final String ONTOLOGY_DEAD_LETTERS = "ontology_dlq";

  static final List<String> EVENTS = List.of(INSTANCES, ONTOLOGIES);
  static final List<String> ALL =
      Stream.concat(
              EVENTS.stream(),
              Stream.of(PROJECTION_DEAD_LETTERS, INSTANCE_DEAD_LETTERS, ONTOLOGY_DEAD_LETTERS))
          .toList();

  private Topics() {}

  static String of(Event event) {
    return event.aggregate().type() + "_events";
  }
}
