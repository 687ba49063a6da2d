package dev.once.spring;

import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordStore;
import java.util.List;
import java.util.SplittableRandom;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Removes expired records in the background. */
@AutoConfiguration(after = OnceAutoConfiguration.class)
@ConditionalOnBean(RecordStore.class)
@ConditionalOnBooleanProperty(
    name = {"once.enabled", "once.purge.enabled"},
    matchIfMissing = true)
@EnableConfigurationProperties(PurgeProperties.class)
class OncePurgeAutoConfiguration {
  @Bean
  PurgeSchedule oncePurge(RecordStore store, PurgeProperties settings, List<AfterPurge> after) {
    if (!(store instanceof RecordAdmin admin)) {
      throw new MisconfiguredException(
          "expired records are never removed: "
              + store.getClass().getName()
              + " is no RecordAdmin.",
          "Let the store implement RecordAdmin, or set once.purge.enabled=false.");
    }
    PurgeInterval interval = new PurgeInterval(settings.every(), new SplittableRandom());
    return new PurgeSchedule(admin, settings, interval, after);
  }
}
