package dev.once.jdbc;

import dev.once.Key;
import dev.once.jdbc.internal.Parameters;
import dev.once.spi.ClaimRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/**
 * A call of {@code claim}.
 *
 * @param contested whether another transaction was working on the key: an insert might wait for it
 */
record ClaimCall(ClaimRequest request, boolean contested) implements BatchedCall {
  /** The approximate size of a claim: key, fingerprint and times. */
  private static final int ORDINARY_BYTES = 200;

  ClaimCall(ClaimRequest request) {
    this(request, false);
  }

  ClaimCall asContested() {
    return new ClaimCall(request, true);
  }

  /** Binds what every statement needs of {@code claims}: keys, fingerprints, times, recoveries. */
  static Parameters bind(Parameters parameters, List<ClaimCall> claims) throws SQLException {
    return parameters
        .texts(claims, it -> it.request().key().tenant())
        .texts(claims, it -> it.request().key().scope())
        .texts(claims, it -> it.request().key().value())
        .texts(claims, it -> it.request().fingerprint().toString())
        .numbers(claims, it -> Parameters.micros(it.request().lease()))
        .numbers(claims, it -> Parameters.micros(it.request().retention()))
        .texts(claims, ClaimCall::recovery);
  }

  /** Returns the name of the recovery in SQL. */
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
