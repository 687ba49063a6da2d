package dev.once.spring;

import dev.once.Headers;
import dev.once.Key;
import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import dev.once.http.ReplayStatus;
import dev.once.servlet.ExchangeListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs each request with a key. The message is the name of the event; the rest are key-values,
 * which structured logs show as fields. Keys and payloads are never logged.
 */
final class ExchangeLog implements ExchangeListener {
  private static final Logger LOG = LoggerFactory.getLogger(ExchangeLog.class);

  @Override
  public void answered(HttpOperation operation, Answered answered) {
    Level level = level(answered.replayStatus());
    if (!LOG.isEnabledForLevel(level)) {
      return; // Most requests are new ones, and most applications do not log those.
    }
    LoggingEventBuilder line =
        start(level, operation)
            .addKeyValue("status", answered.answer().status())
            .addKeyValue("replayed", answered.replayStatus() == ReplayStatus.HIT);
    ids(line, operation.request().correlation()).log(message(answered.replayStatus()));
    if (answered.replayStatus() == ReplayStatus.HIT) { // Its audit line has the same level.
      audit(operation, answered.answer().headers());
    }
  }

  /** A replay has no audit record of its own: this line refers to that of the first request. */
  private static void audit(HttpOperation operation, Headers original) {
    LoggingEventBuilder line = start(Level.INFO, operation);
    ids(with(line, "audit_id", original, "X-Audit-ID"), original).log("audit.replay");
  }

  private static LoggingEventBuilder start(Level level, HttpOperation operation) {
    Key key = operation.request().key();
    return LOG.atLevel(level)
        .addKeyValue("tenant", key.tenant())
        .addKeyValue("key_hash", key::shortHash)
        .addKeyValue("endpoint", () -> EndpointName.of(operation));
  }

  private static LoggingEventBuilder ids(LoggingEventBuilder line, Headers ids) {
    LoggingEventBuilder more = with(line, "request_id", ids, "X-Request-ID");
    return with(more, "correlation_id", ids, "X-Correlation-ID");
  }

  private static LoggingEventBuilder with(
      LoggingEventBuilder line, String name, Headers headers, String header) {
    return headers.first(header).map(value -> line.addKeyValue(name, value)).orElse(line);
  }

  private static Level level(ReplayStatus status) {
    return switch (status) {
      case HIT, IN_PROGRESS, CONFLICT -> Level.INFO;
      case MISS -> Level.DEBUG;
      case REFUSED -> Level.WARN;
    };
  }

  private static String message(ReplayStatus status) {
    return switch (status) {
      case HIT -> "idempotency.hit";
      case MISS -> "idempotency.miss";
      case IN_PROGRESS -> "idempotency.concurrent";
      case CONFLICT -> "idempotency.conflict";
      case REFUSED -> "idempotency.refused";
    };
  }
}
