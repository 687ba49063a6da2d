package dev.once.jdbc;

import dev.once.spi.ClaimRequest;
import java.util.Locale;

/** A claim, or the wish to reconcile. */
record ClaimAsk(ClaimRequest request, boolean reconciling) {
  /** The word for the recovery in SQL. */
  String recovery() {
    return request.recovery().name().toLowerCase(Locale.ROOT);
  }
}
