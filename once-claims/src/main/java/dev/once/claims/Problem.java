package dev.once.claims;

import dev.once.http.Contract;
import dev.once.http.Refusal;
import dev.once.http.RefusalRule;
import java.net.URI;
import java.util.Objects;

/** Why a request is not answered as asked. What the HTTP contracts refuse too has their code. */
enum Problem {
  /** The request has no tenant. */
  CALLER_REQUIRED(Refusal.CALLER_REQUIRED),
  /** The body has more bytes than are read. */
  BODY_TOO_LARGE(Refusal.BODY_TOO_LARGE),
  /** The body is not JSON with a single meaning. */
  BODY_REFUSED(Refusal.BODY_REFUSED),
  /** A member is missing, unknown, or outside its limits. */
  MEMBER_REFUSED(400, "claims.member_refused", "A member is not accepted"),
  /** The path names nothing. */
  PATH_UNKNOWN(404, "claims.path_unknown", "Nothing is served here"),
  /** The path is not used with this method. */
  METHOD_REFUSED(405, "claims.method_refused", "The method is not used here"),
  /** The body is not declared as JSON. */
  MEDIA_TYPE_REFUSED(415, "claims.media_type_refused", "The body must be JSON"),
  /** A later grant of the key exists, or the key was settled; nothing was changed. */
  LEASE_LOST(409, "claims.lease_lost", "The grant no longer owns its key"),
  /** The effect happened, but its outcome cannot be read. */
  OUTCOME_UNREADABLE(Refusal.OUTCOME_UNREADABLE),
  /** The store did nothing. */
  STORE_UNAVAILABLE(Refusal.STORE_UNAVAILABLE),
  /** The store did not answer: the change may or may not have been made. */
  ANSWER_LOST(503, "claims.answer_lost", "The change may have been made");

  private static final String OWN = "claims.";

  private final int status;
  private final String code;
  private final String title;

  Problem(Refusal refusal) {
    this(ruleOf(refusal).status(), ruleOf(refusal).code(), ruleOf(refusal).title());
  }

  Problem(int status, String code, String title) {
    this.status = status;
    this.code = code;
    this.title = title;
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }

  String title() {
    return title;
  }

  /** Returns the page that describes this problem: one of its own, or a row of the claims' page. */
  URI type() {
    String page = code.startsWith(OWN) ? "claims#" + code.substring(OWN.length()) : code;
    return Contract.STRICT.problems().resolve(page);
  }

  private static RefusalRule ruleOf(Refusal refusal) {
    return Objects.requireNonNull(Contract.STRICT.refusals().get(refusal));
  }
}
