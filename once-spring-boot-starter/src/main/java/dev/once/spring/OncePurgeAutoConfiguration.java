package dev.once.spring;

import dev.once.spi.RecordAdmin;
import java.util.List;
import java.util.SplittableRandom;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Removes expired records in the background. */
@AutoConfiguration(after = OnceAutoConfiguration.class)
@ConditionalOnBean(RecordAdmin.class)
@ConditionalOnBooleanProperty(
    name = {"once.enabled", "once.purge.enabled"},
    matchIfMissing = true)
@EnableConfigurationProperties(PurgeProperties.class)
class OncePurgeAutoConfiguration {
  @Bean
  PurgeSchedule oncePurge(RecordAdmin store, PurgeProperties settings, List<AfterPurge> after) {
    PurgeInterval interval = new PurgeInterval(settings.every(), new SplittableRandom());
    return new PurgeSchedule(store, settings, interval, after);
  }
}
