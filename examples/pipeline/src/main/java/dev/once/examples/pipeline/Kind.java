package dev.once.examples.pipeline;

import java.util.Locale;

/** The kinds of aggregates: things, and the types that they have. */
enum Kind {
  INSTANCE("instances"),
  ONTOLOGY("ontologies");

  private final String plural;

  Kind(String plural) {
    this.plural = plural;
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
