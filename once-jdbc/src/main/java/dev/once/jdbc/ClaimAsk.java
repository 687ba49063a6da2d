package dev.once.jdbc;

import dev.once.Key;
import dev.once.spi.ClaimRequest;
import java.util.Locale;

/** A claim, or the wish to reconcile. */
record ClaimAsk(ClaimRequest request, boolean reconciling) implements BatchedCall {
  /** Keys, fingerprint and times of an ordinary claim. */
  private static final int ORDINARY_BYTES = 200;

  /** The word for the recovery in SQL. */
  String recovery() {
    return request.recovery().name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Key key() {
    return request.key();
  }

  @Override
  public String what() {
    return "claim";
  }

  @Override
  public long bytes() {
    return ORDINARY_BYTES;
  }
}
