package dev.once.spring;

import dev.once.jobs.DeadLetter;
import dev.once.json.Redactor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Describes a dead letter for an operator: everything but the key itself and the payload. Phone
 * numbers in texts of the application are masked.
 */
final class LetterReport {
  private LetterReport() {}

  /** Returns the summary for a list. */
  static Map<String, Object> line(DeadLetter letter) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("id", letter.id());
    report.put("tenant", letter.key().tenant());
    report.put("queue", letter.key().queue());
    report.put("type", letter.key().type());
    report.put("key_hash", letter.key().toKey().shortHash());
    report.put("reason", Redactor.maskPhones(letter.reason()));
    report.put("attempt", letter.attempt());
    report.put("died_at", letter.diedAt().toString());
    letter.forgetAt().ifPresent(it -> report.put("retry_until", it.toString()));
    return report;
  }

  static Map<String, Object> of(DeadLetter letter) {
    Map<String, Object> report = line(letter);
    report.put("enqueued_at", letter.enqueuedAt().toString());
    report.put("payload_hash", letter.fingerprint().toString());
    report.put("payload_bytes", letter.payloadBytes());
    report.put("correlation", RecordReport.values(letter.correlation()));
    letter.aggregate().ifPresent(it -> report.put("holds_up", Redactor.maskPhones(it)));
    letter.stack().ifPresent(it -> report.put("stack", Redactor.maskPhones(it)));
    return report;
  }
}
