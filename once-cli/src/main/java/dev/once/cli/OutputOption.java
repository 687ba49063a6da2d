package dev.once.cli;

import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Whether results are for people or for programs. */
final class OutputOption {
  @Option(names = "--json")
  private boolean json;

  boolean isJson() {
    return json;
  }

  /** Prints a line of the result in the form that was chosen. */
  void print(Session session, Supplier<String> text, Supplier<JsonLine> object) {
    session.print(json ? object.get().toString() : text.get());
  }
}
