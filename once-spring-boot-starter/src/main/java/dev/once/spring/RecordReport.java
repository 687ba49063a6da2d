package dev.once.spring;

import dev.once.Headers;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.RecordView;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Describes a record for an operator: everything but the key itself, the values of headers and the
 * payload.
 */
final class RecordReport {
  private RecordReport() {}

  static Map<String, Object> of(RecordView record) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("tenant", record.key().tenant());
    report.put("scope", record.key().scope());
    report.put("key_hash", record.key().shortHash());
    report.put("state", record.state().word());
    report.put("fence", record.fence());
    report.put("attempts", record.attempts());
    report.put("recovery", record.recovery().name().toLowerCase(Locale.ROOT));
    report.put("created_at", record.createdAt().toString());
    report.put("lease_until", record.leaseUntil().toString());
    report.put("expires_at", record.expiresAt().toString());
    report.put("correlation", values(record.correlation()));
    record.outcome().ifPresent(outcome -> report.put("outcome", of(outcome)));
    return report;
  }

  private static Map<String, Object> of(Outcome outcome) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("failed", outcome.failed());
    report.put("status", outcome.status());
    report.put("headers", outcome.headers().list().stream().map(Headers.Header::name).toList());
    report.put("payload_bytes", outcome.payload().size());
    report.put("payload_kept", !(outcome.payload() instanceof Payload.Dropped));
    return report;
  }

  static Map<String, String> values(Headers ids) {
    Map<String, String> values = new LinkedHashMap<>();
    ids.list().forEach(id -> values.put(id.name(), id.value()));
    return values;
  }
}
