package dev.once.examples.tutorial;

/** One thing that the page asks its reader to do or to see. */
sealed interface Step {
  /** A command in a terminal, and what it prints. */
  record Command(String line, String output) implements Step {}

  /** A text that the service logs. */
  record Logged(String text) implements Step {}
}
