package dev.once.spring;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Shows whether the events of each handler are handled: down if a consumer has ended by itself, out
 * of service while one is paused because the registry cannot be reached.
 */
record EventsHealthIndicator(EventConsumers consumers) implements HealthIndicator {
  @Override
  public Health health() {
    Map<String, RunningConsumer.State> states = new TreeMap<>();
    consumers.running().forEach(it -> states.put(it.handler(), it.state()));
    Health.Builder health = Health.up();
    if (states.containsValue(RunningConsumer.State.FAILED)) {
      health = Health.down();
    } else if (states.containsValue(RunningConsumer.State.PAUSED)) {
      health = Health.outOfService();
    }
    for (Map.Entry<String, RunningConsumer.State> it : states.entrySet()) {
      health.withDetail(it.getKey(), it.getValue().name().toLowerCase(Locale.ROOT));
    }
    return health.build();
  }
}
