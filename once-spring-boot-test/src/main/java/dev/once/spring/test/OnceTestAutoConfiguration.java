package dev.once.spring.test;

import dev.once.InMemoryRecordStore;
import dev.once.Once;
import dev.once.http.Caller;
import dev.once.servlet.CallerResolver;
import dev.once.servlet.Transactions;
import dev.once.spi.RecordStore;
import java.security.Principal;
import java.util.Optional;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Replaces what a slice of the application lacks: the database, and the tenants of requests. */
@AutoConfiguration(
    beforeName = {
      "dev.once.spring.OnceAutoConfiguration",
      "dev.once.spring.OnceWebAutoConfiguration"
    })
class OnceTestAutoConfiguration {
  private static final String TENANT = "test";
  private static final String ANONYMOUS = "anonymous";

  @Bean
  @ConditionalOnMissingBean(RecordStore.class)
  InMemoryRecordStore onceInMemoryStore() {
    return new InMemoryRecordStore();
  }

  @Bean
  @ConditionalOnMissingBean(Transactions.class)
  Transactions onceInMemoryTransactions(Once once) {
    return new InMemoryTransactions(once);
  }

  @Bean
  @ConditionalOnMissingBean(CallerResolver.class)
  @ConditionalOnProperty(name = "once.http.tenant", havingValue = "never", matchIfMissing = true)
  CallerResolver onceTestCallers() {
    return request ->
        Optional.of(
            new Caller(
                TENANT,
                Optional.ofNullable(request.getUserPrincipal())
                    .map(Principal::getName)
                    .orElse(ANONYMOUS)));
  }
}
