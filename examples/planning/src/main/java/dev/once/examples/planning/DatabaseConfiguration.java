package dev.once.examples.planning;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.SQLErrorCodeSQLExceptionTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {
  /** Knows PostgreSQL's own codes; by the standard's alone, waiting too long is no known error. */
  @Bean
  SQLExceptionTranslator errorsOfPostgres() {
    return new SQLErrorCodeSQLExceptionTranslator("PostgreSQL");
  }
}
