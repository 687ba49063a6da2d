package dev.once.spring;

import dev.once.Once;
import dev.once.Terms;
import dev.once.json.Fingerprinter;
import dev.once.servlet.Transactions;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import tools.jackson.databind.json.JsonMapper;

/** Guards methods of beans that are {@link Idempotent}. */
@AutoConfiguration(
    after = {
      OnceAutoConfiguration.class,
      TransactionAutoConfiguration.class,
      JacksonAutoConfiguration.class
    })
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceMethodAutoConfiguration {
  /** Inside of method security, outside of the method's own transaction. */
  static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

  /**
   * Looks up its dependencies at the first call: proxies are created while beans are, and must not
   * initialize a large part of the application early.
   */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static Advisor onceMethodAdvisor(
      ObjectProvider<Once> once,
      ObjectProvider<Transactions> transactions,
      ObjectProvider<Fingerprinter> fingerprinter,
      ObjectProvider<JsonMapper> mapper,
      ObjectProvider<Terms> terms,
      ObjectProvider<OnceProperties> properties) {
    DefaultPointcutAdvisor advisor =
        new DefaultPointcutAdvisor(
            new IdempotentMethods(),
            new IdempotentInterceptor(
                once, transactions, fingerprinter, mapper, terms, properties));
    advisor.setOrder(ORDER);
    return advisor;
  }

  /** Outside of the method's own transaction. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  static Advisor onceSavepointAdvisor(ObjectProvider<Transactions> transactions) {
    DefaultPointcutAdvisor advisor =
        new DefaultPointcutAdvisor(
            new TransactionalMethods(), new SavepointInterceptor(transactions));
    advisor.setOrder(ORDER + 1);
    return advisor;
  }

  /** Created at start, so that settings out of range are refused then. */
  @Bean
  @ConditionalOnMissingBean
  Terms onceMethodTerms(OnceProperties properties) {
    return ContractSettings.terms(properties);
  }
}
