package dev.once.spring;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** The log of a class during a test. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
  private final Logger logger;

  private LogLines(Logger logger) {
    this.logger = logger;
  }

  static LogLines of(Class<?> type) {
    Logger logger = (Logger) LoggerFactory.getLogger(type);
    LogLines lines = new LogLines(logger);
    lines.setContext(logger.getLoggerContext());
    lines.start();
    logger.setLevel(Level.DEBUG);
    logger.addAppender(lines);
    return lines;
  }

  /** Level and message of each line. */
  List<String> lines() {
    return events.stream()
        .map(event -> event.getLevel() + " " + event.getFormattedMessage())
        .toList();
  }

  List<ILoggingEvent> events() {
    return events;
  }

  @Override
  protected void append(ILoggingEvent event) {
    events.add(event);
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setLevel(null);
    stop();
  }
}
