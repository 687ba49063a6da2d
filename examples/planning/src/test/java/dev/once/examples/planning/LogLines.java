package dev.once.examples.planning;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.LoggerFactory;

/** Captures what the service logs under a logger name. */
final class LogLines implements AutoCloseable {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();

  private LogLines(Logger logger) {
    this.logger = logger;
  }

  static LogLines of(String name) {
    LogLines lines = new LogLines((Logger) LoggerFactory.getLogger(name));
    lines.events.start();
    lines.logger.setLevel(Level.DEBUG);
    lines.logger.addAppender(lines.events);
    return lines;
  }

  /** Returns each line about an event, after the name of the event. */
  List<String> with(String event) {
    return List.copyOf(events.list).stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(message -> message.startsWith(event + " "))
        .map(message -> message.substring(event.length() + 1))
        .toList();
  }

  /** Returns the full text of all lines. */
  String text() {
    StringBuilder text = new StringBuilder();
    List.copyOf(events.list)
        .forEach(it -> text.append(it.getFormattedMessage()).append(fields(it)).append('\n'));
    return text.toString();
  }

  private static String fields(ILoggingEvent event) {
    TreeMap<String, String> fields = new TreeMap<>();
    if (event.getKeyValuePairs() != null) {
      event.getKeyValuePairs().forEach(it -> fields.put(it.key, String.valueOf(it.value)));
    }
    return fields.toString();
  }

  @Override
  public void close() {
    logger.detachAppender(events);
    logger.setLevel(null);
  }
}
