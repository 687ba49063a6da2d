package dev.once.spring;

import dev.once.Key;
import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import dev.once.servlet.ExchangeListener;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.observation.ServerRequestObservationContext;

/**
 * Adds the replay status of a request to its observation, for traces and for metrics of requests.
 * The current observation may be an inner one, such as Spring Security's, so that of the request is
 * searched for among its parents.
 */
final class ExchangeObservation implements ExchangeListener {
  static final String REPLAY_STATUS = "once.replay_status";
  static final String CONTRACT = "once.contract";

  private final ObservationRegistry registry;
  private final String contract;

  ExchangeObservation(ObservationRegistry registry, String contract) {
    this.registry = registry;
    this.contract = contract;
  }

  @Override
  public void answered(HttpOperation operation, Answered answered) {
    Observation current = registry.getCurrentObservation();
    if (current != null) {
      Key key = operation.request().key();
      ofRequest(current)
          .lowCardinalityKeyValue(REPLAY_STATUS, answered.replayStatus().name())
          .lowCardinalityKeyValue(CONTRACT, contract)
          .highCardinalityKeyValue("once.tenant", key.tenant())
          .highCardinalityKeyValue("once.key_hash", key.shortHash())
          .highCardinalityKeyValue("once.endpoint", EndpointName.of(operation));
    }
  }

  private static Observation ofRequest(Observation current) {
    @Nullable ObservationView view = current;
    while (view != null) {
      if (view instanceof Observation it
          && it.getContext() instanceof ServerRequestObservationContext) {
        return it;
      }
      view = view.getContextView().getParentObservation();
    }
    return current;
  }
}
