package dev.once.examples.planning;

import java.util.List;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** Thrown when the API understands a request but refuses it; nothing was changed. */
final class Refusal extends ErrorResponseException {
  private static final long serialVersionUID = 1L;

  private Refusal(HttpStatus status, ProblemDetail problem) {
    super(status, problem, null);
  }

  /** Returns the same refusal for a missing resource and for one of another tenant. */
  static Refusal notFound(String kind, UUID id) {
    return of(HttpStatus.NOT_FOUND, "planning.not_found", "There is no " + kind + " " + id + ".");
  }

  /** Returns the refusal of a request that conflicts with the current state. */
  static Refusal conflict(String code, String detail) {
    return of(HttpStatus.CONFLICT, code, detail);
  }

  /** Adds a member to the problem, for programs. */
  Refusal with(String member, Object value) {
    getBody().setProperty(member, value);
    return this;
  }

  static Refusal invalid(String field, String message) {
    return invalid(List.of(new Violation(field, message)));
  }

  static Refusal invalid(List<Violation> violations) {
    return of(
            HttpStatus.BAD_REQUEST,
            "planning.validation_failed",
            "The request has values that are not allowed; errors names each of them.")
        .with("errors", violations);
  }

  static Refusal malformedBody() {
    return of(
        HttpStatus.BAD_REQUEST, "planning.body_malformed", "The body must be one JSON object.");
  }

  static Refusal of(HttpStatus status, String code, String detail) {
    return new Refusal(status, Problem.of(status, code, detail));
  }

  /** What is wrong with one member of a body or one query parameter. */
  record Violation(String field, String message) {}
}
