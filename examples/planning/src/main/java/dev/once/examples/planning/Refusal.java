package dev.once.examples.planning;

import java.util.List;
import java.util.UUID;
import org.springframework.web.ErrorResponseException;

/** Thrown when the API understands a request but refuses it; nothing was changed. */
final class Refusal extends ErrorResponseException {
  private static final long serialVersionUID = 1L;

  private Refusal(ProblemCode code, String detail) {
    super(code.status(), Problem.of(code, detail), null);
  }

  static Refusal of(ProblemCode code, String detail) {
    return new Refusal(code, detail);
  }

  /** Returns the same refusal for a missing resource and for one of another tenant. */
  static Refusal notFound(String kind, UUID id) {
    return of(ProblemCode.NOT_FOUND, "There is no " + kind + " " + id + ".");
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
            ProblemCode.VALIDATION_FAILED,
            "The request has values that are not allowed; errors names each of them.")
        .with("errors", violations);
  }

  static Refusal malformedBody() {
    return of(ProblemCode.BODY_MALFORMED, "The body must be one JSON object.");
  }

  /** What is wrong with one member of a body or one query parameter. */
  record Violation(String field, String message) {}
}
