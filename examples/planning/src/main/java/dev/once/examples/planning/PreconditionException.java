package dev.once.examples.planning;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** The client did not name the revision it wants to change, or named another than the current. */
final class PreconditionException extends ErrorResponseException {
  private static final long serialVersionUID = 1L;

  private PreconditionException(HttpStatus status, ProblemDetail problem) {
    super(status, problem, null);
  }

  static PreconditionException missing() {
    return of(
        HttpStatus.PRECONDITION_REQUIRED,
        "concurrency.etag_required",
        "Send If-Match with the ETag of the representation that you want to change.");
  }

  static PreconditionException invalid() {
    return of(
        HttpStatus.BAD_REQUEST,
        "concurrency.if_match_invalid",
        "If-Match takes entity tags as in \"3\"; * is not supported.");
  }

  static PreconditionException mismatch(String currentRevision) {
    PreconditionException mismatch =
        of(
            HttpStatus.CONFLICT,
            "concurrency.version_mismatch",
            "Somebody changed it in between. Read it again and apply your change to what you see.");
    mismatch.getBody().setProperty("current_revision", currentRevision);
    return mismatch;
  }

  private static PreconditionException of(HttpStatus status, String code, String detail) {
    return new PreconditionException(status, Problem.of(status, code, detail));
  }
}
