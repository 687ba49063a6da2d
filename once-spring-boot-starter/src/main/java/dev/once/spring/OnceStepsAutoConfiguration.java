package dev.once.spring;

import dev.once.Once;
import dev.once.Terms;
import dev.once.servlet.Transactions;
import dev.once.spi.RecordIndex;
import dev.once.steps.Inputs;
import dev.once.steps.RunHistory;
import dev.once.steps.Steps;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Configures steps of workflows with the application's engine. */
@AutoConfiguration(after = OnceMethodAutoConfiguration.class)
@ConditionalOnClass(Steps.class)
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
@EnableConfigurationProperties(StepsProperties.class)
class OnceStepsAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  Steps onceSteps(Once once, Terms terms, OnceProperties properties, StepsProperties settings) {
    try {
      return Steps.over(
              once, Fingerprints.of(properties.fingerprintSecret(), Inputs.withoutVolatileTimes()))
          .withTerms(terms.withRetention(settings.retention(), settings.retention()));
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          String.valueOf(e.getMessage()) + ".", "Change once.steps.retention.");
    }
  }

  @Bean
  @ConditionalOnMissingBean
  TransactionalSteps onceTransactionalSteps(Steps steps, Transactions transactions) {
    return new TransactionalSteps(steps, transactions);
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(RecordIndex.class)
  RunHistory onceRunHistory(RecordIndex index) {
    return RunHistory.over(index);
  }
}
