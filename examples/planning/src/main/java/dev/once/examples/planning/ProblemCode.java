package dev.once.examples.planning;

import org.springframework.http.HttpStatusCode;

/**
 * What this API refuses itself. {@code docs/reference/problems/README.md} lists the codes for
 * clients; those that Once sends too have the meaning that they have there.
 */
enum ProblemCode {
  BODY_MALFORMED(400, "planning.body_malformed"),
  VALIDATION_FAILED(400, "planning.validation_failed"),
  UNAUTHENTICATED(401, "auth.required"),
  FORBIDDEN(403, "auth.forbidden"),
  NOT_FOUND(404, "planning.not_found"),
  PROJECT_ARCHIVED(409, "planning.project_archived"),
  MISSION_ARCHIVED(409, "planning.mission_archived"),
  MISSION_LOCKED(409, "planning.mission_locked"),
  MISSION_ASSIGNED(409, "planning.mission_assigned"),
  ALREADY_ASSIGNED(409, "planning.already_assigned"),
  ASSIGNMENT_OVERLAP(409, "planning.assignment_overlap"),
  TRANSITION_REFUSED(409, "planning.transition_refused");

  private final int status;
  private final String code;

  ProblemCode(int status, String code) {
    this.status = status;
    this.code = code;
  }

  HttpStatusCode status() {
    return HttpStatusCode.valueOf(status);
  }

  /** Returns the code as clients get it. */
  String code() {
    return code;
  }
}
