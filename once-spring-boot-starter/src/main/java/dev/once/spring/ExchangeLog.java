package dev.once.spring;

import dev.once.Headers;
import dev.once.Key;
import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import dev.once.http.OriginalRequest;
import dev.once.http.ReplayStatus;
import dev.once.servlet.ExchangeListener;
import dev.once.servlet.RequestIds;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs each request with a key. Keys and payloads are never logged. */
final class ExchangeLog implements ExchangeListener {
  private static final Logger LOG = LoggerFactory.getLogger(ExchangeLog.class);

  @Override
  public void answered(HttpOperation operation, Answered answered) {
    ReplayStatus replayStatus = answered.replayStatus();
    int status = answered.answer().status();
    LogLine line =
        about(level(replayStatus), replayStatus.event(), operation)
            .with("status", status)
            .with("replayed", replayStatus == ReplayStatus.HIT);
    answered
        .original()
        .ifPresent(it -> line.with("cached_status", status).with("cached_at", it.receivedAt()));
    ids(line, operation.request().correlation()).write();
    answered.original().ifPresent(it -> audit(operation, answered, it));
  }

  /** A replay has no audit record of its own: this line refers to that of the first request. */
  private static void audit(HttpOperation operation, Answered answered, OriginalRequest original) {
    LogLine line =
        about(Level.INFO, "audit.replay", operation)
            .with("status", answered.answer().status())
            .with("audit_id", answered.answer().headers().first("X-Audit-ID"));
    ids(line, original.correlation()).write();
  }

  private static LogLine about(Level level, String event, HttpOperation operation) {
    Key key = operation.request().key();
    return LogLine.of(LOG, level, event)
        .with("tenant", key.tenant())
        .with("actor", operation.caller().id())
        .with("key_hash", key::shortHash)
        .with("endpoint", () -> EndpointName.of(operation));
  }

  private static LogLine ids(LogLine line, Headers ids) {
    return line.with("request_id", ids.first(RequestIds.REQUEST))
        .with("correlation_id", ids.first(RequestIds.CORRELATION));
  }

  private static Level level(ReplayStatus status) {
    return switch (status) {
      case HIT, CONFLICT -> Level.INFO;
      case MISS -> Level.DEBUG;
      case IN_PROGRESS, REFUSED -> Level.WARN;
    };
  }
}
