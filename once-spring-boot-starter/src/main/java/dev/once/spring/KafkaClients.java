package dev.once.spring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The settings of all clients of Kafka. */
record KafkaClients(EventsProperties.Kafka settings, Environment environment) {
  private static final String BOOTSTRAP = "bootstrap.servers";

  /**
   * Returns the settings.
   *
   * @param what what needs Kafka
   */
  Map<String, Object> required(String what) {
    Binder binder = Binder.get(environment);
    Map<String, Object> all = new HashMap<>();
    all.putAll(
        binder
            .bind("spring.kafka.properties", Bindable.mapOf(String.class, String.class))
            .orElse(Map.of()));
    all.putAll(settings.properties());
    List<String> servers =
        settings.bootstrapServers().isEmpty()
            ? binder
                .bind("spring.kafka.bootstrap-servers", Bindable.listOf(String.class))
                .orElse(List.of())
            : settings.bootstrapServers();
    if (!servers.isEmpty()) {
      all.put(BOOTSTRAP, String.join(",", servers));
    }
    if (!all.containsKey(BOOTSTRAP)) {
      throw new MisconfiguredException(
          what + ", but no address of Kafka is set.",
          "Set once.events.kafka.bootstrap-servers, or spring.kafka.bootstrap-servers.");
    }
    return all;
  }
}
