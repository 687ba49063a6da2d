package dev.once.examples.pipeline;

import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the processes log, to standard error: all that Once says, and warnings of the others. */
final class Logs {
  private static final String FORMAT_PROPERTY = "java.util.logging.SimpleFormatter.format";

  /** Kept here: the log manager forgets loggers that have no other reference. */
  private static final Logger ONCE = Logger.getLogger("dev.once");

  private Logs() {}

  static void configure(String role) {
    System.setProperty(FORMAT_PROPERTY, "%1$tT.%1$tL %4$-7s " + role + "  %5$s (%3$s)%6$s%n");
    LogManager.getLogManager().reset();
    Handler handler = new ConsoleHandler();
    handler.setFormatter(new SimpleFormatter());
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    root.setLevel(Level.WARNING);
    ONCE.setLevel(Level.INFO);
  }
}
