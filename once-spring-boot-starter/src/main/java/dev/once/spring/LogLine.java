package dev.once.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.MDC;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One line in the log about an event. Its message is the name of the event and its fields as {@code
 * name=value}, which every format shows. Structured formats get each field as a key-value too,
 * under {@code once.} and its name: Spring Boot writes key-values beside the MDC of the service,
 * and loses a line in which both use a name.
 */
final class LogLine {
  private static final String GROUP = "once";

  private final Logger log;
  private final Level level;
  private final String event;
  private final boolean isEnabled;
  private final Map<String, Object> fields = new LinkedHashMap<>();
  private @Nullable Throwable cause;

  private LogLine(Logger log, Level level, String event) {
    this.log = log;
    this.level = level;
    this.event = event;
    this.isEnabled = log.isEnabledForLevel(level);
  }

  static LogLine of(Logger log, Level level, String event) {
    return new LogLine(log, level, event);
  }

  LogLine with(String name, Object value) {
    if (isEnabled) {
      boolean isPlain = value instanceof Number || value instanceof Boolean;
      fields.put(name, isPlain ? value : value.toString());
    }
    return this;
  }

  /** Adds a value that is computed only if the line is written. */
  LogLine with(String name, Supplier<String> value) {
    return isEnabled ? with(name, value.get()) : this;
  }

  /** Adds a value if there is one. */
  LogLine with(String name, Optional<?> value) {
    value.ifPresent(it -> with(name, it));
    return this;
  }

  LogLine cause(Throwable failure) {
    this.cause = failure;
    return this;
  }

  void write() {
    if (!isEnabled) {
      return;
    }
    LoggingEventBuilder line = log.atLevel(level).setCause(cause);
    if (!isGroupTaken()) {
      line = line.addKeyValue(GROUP + ".event", event);
      for (Map.Entry<String, Object> field : fields.entrySet()) {
        line = line.addKeyValue(GROUP + "." + field.getKey(), field.getValue());
      }
    }
    line.log(message());
  }

  private String message() {
    StringBuilder message = new StringBuilder(event);
    fields.forEach(
        (name, value) ->
            message.append(' ').append(name).append('=').append(LogText.of(value.toString())));
    return message.toString();
  }

  /** Returns whether the service's MDC has a name that a structured format could not keep apart. */
  private static boolean isGroupTaken() {
    Map<String, String> context = MDC.getCopyOfContextMap();
    return context != null && context.keySet().stream().anyMatch(LogLine::isInGroup);
  }

  private static boolean isInGroup(String name) {
    String plain = name.startsWith("_") ? name.substring(1) : name; // GELF adds an underscore.
    return plain.equals(GROUP) || plain.startsWith(GROUP + ".");
  }
}
