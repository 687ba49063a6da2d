package dev.once.spring;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;

/**
 * Refuses methods that are {@link OnceEvent}, and a relay, in an application without once-kafka.
 */
@AutoConfiguration
@ConditionalOnMissingClass("dev.once.kafka.KafkaEventSource")
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceMissingKafkaAutoConfiguration {
  private static final String ADD = "Add the dependency dev.once:once-kafka, or ";

  @Bean
  static SmartInitializingSingleton onceEventsRefusal(ConfigurableListableBeanFactory beans) {
    return () ->
        AnnotatedMethods.in(
            beans,
            OnceEvent.class,
            (name, type, method, event) -> {
              throw new MisconfiguredException(
                  type.getSimpleName()
                      + "."
                      + method.getName()
                      + " is @OnceEvent, but once-kafka is not on the class path.",
                  ADD + "remove the annotation.");
            });
  }

  @Bean
  @ConditionalOnBooleanProperty("once.events.relay.enabled")
  static SmartInitializingSingleton onceRelayRefusal() {
    return () -> {
      throw new MisconfiguredException(
          "once.events.relay.enabled is true, but once-kafka is not on the class path.",
          ADD + "leave out the setting.");
    };
  }
}
