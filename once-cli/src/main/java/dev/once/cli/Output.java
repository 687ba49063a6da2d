package dev.once.cli;

import java.util.function.Supplier;

/** The form of results: for people or for programs. */
interface Output {
  boolean isJson();

  /** Prints a line of the result in the form that was chosen. */
  default void print(Session session, Supplier<String> text, Supplier<JsonLine> object) {
    session.print(isJson() ? object.get().toString() : text.get());
  }
}
