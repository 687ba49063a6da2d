package dev.once.spring;

import dev.once.servlet.Transactions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;

/** Lets repositories of Spring Data behave in the transaction of a route as they do without it. */
@AutoConfiguration(after = OnceAutoConfiguration.class)
@ConditionalOnClass(RepositoryFactoryBeanSupport.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceRepositoryAutoConfiguration {
  @Bean
  static RepositoryPostProcessor onceRepositories(ObjectProvider<Transactions> transactions) {
    return new RepositoryPostProcessor(new SavepointInterceptor(transactions));
  }
}
