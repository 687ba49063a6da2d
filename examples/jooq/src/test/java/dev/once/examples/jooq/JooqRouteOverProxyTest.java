package dev.once.examples.jooq;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** Over a source that joins the transaction of its caller itself. */
class JooqRouteOverProxyTest extends JooqRouteTests {
  @TestConfiguration(proxyBeanMethods = false)
  static class Joining {
    @Bean(defaultCandidate = false)
    HikariDataSource pool(DataSourceProperties settings) {
      return settings.initializeDataSourceBuilder().type(HikariDataSource.class).build();
    }

    @Bean
    DataSource joining(@Qualifier("pool") HikariDataSource pool) {
      return new TransactionAwareDataSourceProxy(pool);
    }
  }

  @Autowired
  JooqRouteOverProxyTest(@LocalServerPort int port, Orders orders, DSLContext jooq) {
    super(port, orders, jooq);
  }
}
