package dev.once.spring;

import dev.once.Once;
import dev.once.json.Fingerprinter;
import dev.once.payments.Payments;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Configures payments with the application's engine and the secret of its fingerprints, if
 * once-payments is on the class path.
 */
@AutoConfiguration(after = OnceAutoConfiguration.class)
@ConditionalOnClass(Payments.class)
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OncePaymentsAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  Payments oncePayments(Once once, Fingerprinter fingerprinter) {
    return Payments.over(once, fingerprinter);
  }
}
