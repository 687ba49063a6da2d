package dev.once.spring;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import org.springframework.http.server.observation.ServerRequestObservationContext;

/**
 * Gives requests that Once did not cover the same key-value names that {@link ExchangeObservation}
 * gives the others: Prometheus drops the series of a metric if their labels differ from the first.
 */
final class UniformObservations implements ObservationFilter {
  private static final KeyValues NO_OPERATION =
      KeyValues.of(
          ExchangeObservation.REPLAY_STATUS,
          KeyValue.NONE_VALUE,
          ExchangeObservation.CONTRACT,
          KeyValue.NONE_VALUE);

  @Override
  public Observation.Context map(Observation.Context context) {
    boolean isPlain = context.getLowCardinalityKeyValue(ExchangeObservation.REPLAY_STATUS) == null;
    return isPlain && context instanceof ServerRequestObservationContext
        ? context.addLowCardinalityKeyValues(NO_OPERATION)
        : context;
  }
}
