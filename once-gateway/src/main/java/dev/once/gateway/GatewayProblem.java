package dev.once.gateway;

import dev.once.http.Contract;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOnce;
import dev.once.http.Refusal;
import dev.once.http.RefusalRule;
import dev.once.http.RefusedException;
import dev.once.json.Fingerprinter;
import java.time.Duration;

/** Answers of the gateway itself that no contract has words for. */
enum GatewayProblem {
  /** No connection to the service could be opened. */
  UNREACHABLE(502, "upstream.unreachable", "Nothing was sent"),
  /** Every connection to the service is in use, and too many requests wait for one. */
  BUSY(503, "upstream.busy", "Nothing was sent"),
  /** The service closed the connection before it had answered a request without a guard. */
  BROKEN(502, "upstream.broken", "The upstream did not finish its answer"),
  /** The service did not answer a request without a guard in time. */
  TIMEOUT(504, "upstream.timeout", "The upstream did not answer in time"),
  /** The keys that tokens are verified with cannot be fetched. */
  KEYS_UNAVAILABLE(503, "auth.unavailable", "The caller cannot be verified now"),
  /** The bodies of other requests take all the room that there is for large ones. */
  NO_SPACE(503, "body.no_space", "There is no room for the body now"),
  /** The body arrived too slowly. */
  BODY_TOO_SLOW(408, "body.too_slow", "The body arrived too slowly"),
  /** The method is spelled like one that is guarded, in another case. */
  METHOD_REFUSED(501, "request.method_refused", "The method is not accepted"),
  /** The path belongs to no service. */
  NO_UPSTREAM(404, "upstream.none", "No upstream takes this path"),
  /** The path or the query has characters that no address may have. */
  ADDRESS_REFUSED(400, "request.address_refused", "The address is not accepted");

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final int status;
  private final String code;
  private final String title;

  GatewayProblem(int status, String code, String title) {
    this.status = status;
    this.code = code;
    this.title = title;
  }

  /** Returns the answer in the format of a contract. */
  HttpAnswer answer(Contract contract, String detail) {
    // A contract words what it knows; this one is worded in place of one that it does not need.
    Contract worded =
        contract.toBuilder()
            .refusal(Refusal.CIRCUIT_OPEN, RefusalRule.of(status, code, title))
            .build();
    HttpOnce http = new HttpOnce(worded, Fingerprinter.builder().build());
    RefusedException refused = new RefusedException(Refusal.CIRCUIT_OPEN, detail);
    return status < 500 ? http.refuse(refused) : http.refuse(refused, RETRY_AFTER);
  }
}
