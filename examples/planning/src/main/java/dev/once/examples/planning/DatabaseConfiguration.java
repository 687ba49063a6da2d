package dev.once.examples.planning;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.SQLErrorCodeSQLExceptionTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {
  /** Translates PostgreSQL's own error codes; the standard codes do not include a lock timeout. */
  @Bean
  SQLExceptionTranslator errorsOfPostgres() {
    return new SQLErrorCodeSQLExceptionTranslator("PostgreSQL");
  }
}
