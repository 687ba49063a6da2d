package dev.once.gateway;

import dev.once.Headers;
import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import dev.once.http.OriginalRequest;
import dev.once.http.ReplayStatus;
import dev.once.servlet.ExchangeListener;
import dev.once.servlet.RequestIds;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs each request with a key, its fields as key-values that every format shows. Keys and payloads
 * are never logged.
 */
final class ExchangeLog implements ExchangeListener {
  private static final Logger LOG = LoggerFactory.getLogger(ExchangeLog.class);

  @Override
  public void answered(HttpOperation operation, Answered answered) {
    ReplayStatus status = answered.replayStatus();
    if (!LOG.isEnabledForLevel(level(status))) {
      return; // A first request is logged at debug alone, and a replay always.
    }
    String key = operation.request().key().shortHash();
    LoggingEventBuilder line =
        about(level(status), operation, key)
            .addKeyValue("status", answered.answer().status())
            .addKeyValue("replayed", status == ReplayStatus.HIT);
    Optional<Integer> cached = answered.original().map(it -> answered.answer().status());
    Optional<Instant> cachedAt = answered.original().flatMap(OriginalRequest::receivedAt);
    line = with(with(line, "cached_status", cached), "cached_at", cachedAt);
    ids(line, operation.request().correlation()).log(status.event());
    answered.original().ifPresent(it -> audit(operation, key, answered, it));
  }

  /** A replay has no audit record of its own: this line refers to that of the first request. */
  private static void audit(
      HttpOperation operation, String key, Answered answered, OriginalRequest original) {
    LoggingEventBuilder line =
        about(Level.INFO, operation, key).addKeyValue("status", answered.answer().status());
    Optional<String> audited = answered.answer().headers().first("X-Audit-ID");
    ids(with(line, "audit_id", audited), original.correlation()).log("audit.replay");
  }

  private static LoggingEventBuilder about(Level level, HttpOperation operation, String keyHash) {
    return LOG.atLevel(level)
        .addKeyValue("tenant", operation.request().key().tenant())
        .addKeyValue("actor", operation.caller().id())
        .addKeyValue("key_hash", keyHash)
        .addKeyValue("endpoint", GatewayMetrics.endpoint(operation.method(), operation.route()));
  }

  private static LoggingEventBuilder ids(LoggingEventBuilder line, Headers ids) {
    return with(
        with(line, "request_id", ids.first(RequestIds.REQUEST)),
        "correlation_id",
        ids.first(RequestIds.CORRELATION));
  }

  private static LoggingEventBuilder with(
      LoggingEventBuilder line, String name, Optional<?> value) {
    return value.isPresent() ? line.addKeyValue(name, value.get()) : line;
  }

  private static Level level(ReplayStatus status) {
    return switch (status) {
      case HIT, CONFLICT -> Level.INFO;
      case MISS -> Level.DEBUG;
      case IN_PROGRESS, REFUSED -> Level.WARN;
    };
  }
}
