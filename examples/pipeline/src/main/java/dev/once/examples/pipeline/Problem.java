package dev.once.examples.pipeline;

import dev.once.StoreException;
import dev.once.events.EventMismatchException;
import dev.once.events.SequenceConflictException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Why a command was not appended, as RFC 9457 writes it. */
record Problem(int status, String code, String detail, Map<String, Object> members) {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String RETRY_AFTER_SECONDS = "1";

  static Problem of(int status, String code, String detail) {
    return new Problem(status, code, detail, Map.of());
  }

  static Problem invalid(String detail) {
    return of(400, "command.invalid", detail);
  }

  /** The aggregate is not at the sequence that the command expects. */
  static Problem of(SequenceConflictException e) {
    return of(
            409,
            "concurrency.sequence_mismatch",
            "the last sequence is %d, not %d: nothing was appended, read it again and decide anew"
                .formatted(e.actual(), e.expected()))
        .with("expected_seq", e.expected())
        .with("actual_seq", e.actual());
  }

  /** The id of the event was used for other content. */
  static Problem of(EventMismatchException e) {
    return of(
            409,
            "event.payload_mismatch",
            "the event id was used for another payload: nothing was appended, use a new id")
        .with("first_hash", e.first().toString())
        .with("second_hash", e.second().toString());
  }

  /** The event store cannot be reached; the command may have been appended, or not. */
  static Problem of(StoreException e) {
    return of(
        503, "event_store.unavailable", "the event store does not answer: retry with the same id");
  }

  Problem with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new Problem(status, code, detail, more);
  }

  RefusedException refused() {
    return new RefusedException(this);
  }

  void send(HttpServletResponse response) throws IOException {
    ObjectNode body = JSON.createObjectNode();
    body.put("type", "about:blank");
    body.put("status", status);
    body.put("code", code);
    body.put("detail", detail);
    members.forEach((name, value) -> body.set(name, JSON.valueToTree(value)));
    if (status == 503) {
      response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
    }
    response.setStatus(status);
    response.setContentType("application/problem+json");
    response.getOutputStream().write(JSON.writeValueAsBytes(body));
  }

  /** A command that is refused. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    private RefusedException(Problem problem) {
      super(problem.detail());
      this.problem = problem;
    }

    Problem problem() {
      return problem;
    }
  }
}
