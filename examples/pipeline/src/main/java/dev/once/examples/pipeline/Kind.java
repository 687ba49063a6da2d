package dev.once.examples.pipeline;

import dev.once.events.Event;
import dev.once.events.UnprocessableEventException;
import java.util.List;
import java.util.Locale;

/** The kinds of aggregates: things, and the types that they have. */
enum Kind {
  INSTANCE("instances"),
  ONTOLOGY("ontologies");

  private final String plural;

  Kind(String plural) {
    this.plural = plural;
  }

  /**
   * Returns the kind of an event's aggregate.
   *
   * @throws UnprocessableEventException if the event is of no type that the API appends
   */
  static Kind of(Event event) {
    String type = event.content().type();
    for (Kind kind : values()) {
      if (event.aggregate().type().equals(kind.text())
          && List.of(kind.created(), kind.updated(), kind.deleted()).contains(type)) {
        return kind;
      }
    }
    throw new UnprocessableEventException(
        "type %s of an aggregate %s is unknown".formatted(type, event.aggregate().type()));
  }

  /** Returns the type of the aggregates. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name of the collection in the API. */
  String plural() {
    return plural;
  }

  String created() {
    return text() + ".created";
  }

  String updated() {
    return text() + ".updated";
  }

  String deleted() {
    return text() + ".deleted";
  }
}
