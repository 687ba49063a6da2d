package dev.once.bench;

import java.util.Locale;

/** Runs the benchmarks that the command line names and prints their tables. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT); // The tables read the same everywhere.
    System.exit(Command.run(arguments)); // Libraries may have left threads running.
  }
}
