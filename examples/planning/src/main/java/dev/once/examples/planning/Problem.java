package dev.once.examples.planning;

import java.net.URI;
import java.util.Locale;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;

/** Creates error answers as in RFC 9457, each with a stable {@code code} for programs. */
final class Problem {
  private static final String TYPES = "https://once.dev/problems/";

  private Problem() {}

  /** Returns a problem with the type and title of its code. */
  static ProblemDetail of(ProblemCode code, String detail) {
    return of(code.status(), code.code(), detail);
  }

  /**
   * Returns the problem for a status without a specific code: 405 is {@code method_not_allowed}.
   */
  static ProblemDetail of(HttpStatusCode status, String detail) {
    return of(status, codeOf(status), detail);
  }

  /** Adds a code to a problem that the framework created. */
  static ProblemDetail name(ProblemDetail problem, String code) {
    problem.setType(URI.create(TYPES + code));
    problem.setTitle(titleOf(code));
    problem.setProperty("code", code);
    return problem;
  }

  static String codeOf(HttpStatusCode status) {
    HttpStatus known = HttpStatus.resolve(status.value());
    String word = known == null ? "status_" + status.value() : known.name();
    return "planning." + word.toLowerCase(Locale.ROOT);
  }

  private static ProblemDetail of(HttpStatusCode status, String code, String detail) {
    return name(ProblemDetail.forStatusAndDetail(status, detail), code);
  }

  /** Returns "Mission locked" for {@code planning.mission_locked}. */
  private static String titleOf(String code) {
    String words = code.substring(code.indexOf('.') + 1).replace('_', ' ');
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }
}
