package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import java.util.function.Function;

/**
 * A store's answer and the moment before it was asked. A lease counted from that moment never looks
 * longer to its owner than it is in the store.
 */
record Asked(Claim claim, long sentNanos) {
  static Asked of(Function<ClaimRequest, Claim> store, ClaimRequest request) {
    long sent = System.nanoTime();
    return new Asked(store.apply(request), sent);
  }
}
