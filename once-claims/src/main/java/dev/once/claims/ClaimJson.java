package dev.once.claims;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import java.time.Duration;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The store's answer to a claim, as JSON: {@code result} says which of the five it is. */
final class ClaimJson {
  /** A lease that is about to end may free the key; more often is only load. */
  static final Duration MIN_RETRY = Duration.ofMillis(100);

  /** What is left of a lease says nothing about how long its owner will need. */
  static final Duration MAX_RETRY = Duration.ofSeconds(2);

  private ClaimJson() {}

  static ObjectNode write(Claim claim, ClaimRequest request) {
    if (claim instanceof Claim.Granted it) {
      return result("granted")
          .put("fence", it.fence())
          .put("attempt", it.attempt())
          .put("lease_millis", request.lease().toMillis());
    }
    if (claim instanceof Claim.Replay it) {
      ObjectNode replay = result("replay");
      replay.set("outcome", OutcomeJson.write(it.outcome()));
      replay.set("correlation", OutcomeJson.write(it.correlation()));
      return replay;
    }
    if (claim instanceof Claim.Held it) {
      return result("held")
          .put("lease_left_millis", it.leaseLeft().toMillis())
          .put("retry_after_millis", retryAfter(it.leaseLeft()).toMillis());
    }
    if (claim instanceof Claim.Mismatched) {
      return result("mismatched");
    }
    if (claim instanceof Claim.Uncertain) {
      return result("uncertain");
    }
    throw new AssertionError("unhandled claim " + claim);
  }

  private static ObjectNode result(String name) {
    return JsonNodeFactory.instance.objectNode().put("result", name);
  }

  /** Zero means that the store does not know how much is left. */
  private static Duration retryAfter(Duration leaseLeft) {
    if (leaseLeft.isZero() || leaseLeft.compareTo(MAX_RETRY) > 0) {
      return MAX_RETRY;
    }
    return leaseLeft.compareTo(MIN_RETRY) < 0 ? MIN_RETRY : leaseLeft;
  }
}
