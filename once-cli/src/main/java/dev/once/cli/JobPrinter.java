package dev.once.cli;

import dev.once.jobs.DeadLetter;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobView;
import java.util.Locale;
import java.util.Optional;

/** Prints jobs, one line each. */
record JobPrinter(Session session, Output output) {
  void print(JobView it) {
    output.print(session, () -> text(it), () -> json(it));
  }

  void print(DeadLetter it) {
    output.print(session, () -> text(it), () -> json(it));
  }

  static String state(JobView it) {
    return it.state().name().toLowerCase(Locale.ROOT);
  }

  private static String text(JobKey it) {
    return "%s/%s/%s %s"
        .formatted(
            Text.printable(it.tenant()), it.queue(), it.type(), Text.printable(it.resource()));
  }

  static String text(JobView it) {
    return "%d %s state=%s attempt=%d due=%s enqueued=%s reason=%s"
        .formatted(
            it.id(),
            text(it.key()),
            state(it),
            it.attempt(),
            text(it.runAt()),
            text(it.enqueuedAt()),
            it.reason().map(Text::printable).orElse("-"));
  }

  private static String text(Optional<?> value) {
    return value.map(Object::toString).orElse("-");
  }

  private static String text(DeadLetter it) {
    return "%d %s attempt=%d died=%s payload-bytes=%d aggregate=%s forget=%s reason=%s"
        .formatted(
            it.id(),
            text(it.key()),
            it.attempt(),
            it.diedAt(),
            it.payloadBytes(),
            it.aggregate().map(Text::printable).orElse("-"),
            text(it.forgetAt()),
            Text.printable(it.reason()));
  }

  private static JsonLine json(long id, JobKey key) {
    return new JsonLine()
        .put("id", id)
        .put("tenant", key.tenant())
        .put("queue", key.queue())
        .put("type", key.type())
        .put("resource", key.resource());
  }

  static JsonLine json(JobView it) {
    return json(it.id(), it.key())
        .put("state", state(it))
        .put("attempt", it.attempt())
        .put("run_at", it.runAt())
        .put("enqueued_at", it.enqueuedAt())
        .put("reason", it.reason());
  }

  private static JsonLine json(DeadLetter it) {
    return json(it.id(), it.key())
        .put("state", "dead")
        .put("attempt", it.attempt())
        .put("enqueued_at", it.enqueuedAt())
        .put("died_at", it.diedAt())
        .put("payload_bytes", it.payloadBytes())
        .put("aggregate", it.aggregate())
        .put("forget_at", it.forgetAt())
        .put("reason", it.reason())
        .put("stack", it.stack());
  }
}
