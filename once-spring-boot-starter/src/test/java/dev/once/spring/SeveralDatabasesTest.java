package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.jobs.Job;
import dev.once.jobs.JobKey;
import dev.once.jobs.Jobs;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Applications with several data sources or transaction managers, or with unusual ones. */
class SeveralDatabasesTest {
  private static final PGSimpleDataSource SHOP = App.newDatabase();
  private static final PGSimpleDataSource BILLING = App.newDatabase();
  private static final PGSimpleDataSource ROUTED = App.newDatabase();
  private static final PGSimpleDataSource OTHER = App.newDatabase();

  private static final String TABLES = "SELECT count(*) FROM pg_tables WHERE tablename LIKE ";

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Authentication.class)
  static class Sources {
    @Bean
    DataSource shop() {
      return SHOP;
    }

    @Bean
    DataSource billing() {
      return BILLING;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Sources.class)
  static class Pairs {
    @Bean
    PlatformTransactionManager shopManager() {
      return new JdbcTransactionManager(SHOP);
    }

    @Bean
    PlatformTransactionManager billingManager() {
      return new JdbcTransactionManager(new LazyConnectionDataSourceProxy(BILLING));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Sources.class)
  static class Others {
    @Bean
    DataSource other() {
      return OTHER;
    }

    @Bean
    PlatformTransactionManager shopManager() {
      return new JdbcTransactionManager(SHOP);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Authentication.class, OrderController.class, OrderService.class})
  static class OverProxy {
    @Bean
    @Primary
    DataSource joining() {
      return new TransactionAwareDataSourceProxy(SHOP);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Authentication.class, OrderController.class, OrderService.class})
  static class OverJpa {
    @Bean
    DataSource shop() {
      return new TransactionAwareDataSourceProxy(SHOP);
    }

    @Bean
    LocalContainerEntityManagerFactoryBean entities(DataSource shop) {
      LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
      factory.setDataSource(shop);
      factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
      factory.setPackagesToScan("dev.once.spring.none");
      return factory;
    }

    @Bean
    JpaTransactionManager jpa() {
      return new JpaTransactionManager();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Authentication.class)
  static class OverRouting {
    @Bean
    DataSource routing() {
      AbstractRoutingDataSource routing =
          new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
              return "acme";
            }
          };
      routing.setTargetDataSources(Map.of("acme", ROUTED));
      return new LazyConnectionDataSourceProxy(initialized(routing));
    }

    private static DataSource initialized(AbstractRoutingDataSource routing) {
      routing.afterPropertiesSet();
      return routing;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Authentication.class)
  static class OverJta {
    @Bean
    DataSource shop() {
      return SHOP;
    }

    @Bean
    PlatformTransactionManager jta() {
      return new JtaTransactionManager(new EmptyUserTransaction());
    }
  }

  @Test
  void asksWhichDataSourceHasTheTables() {
    assertThat(report(Sources.class))
        .contains("there is no single DataSource, but shop and billing, to keep records in")
        .contains("Set once.data-source to the name of one of them");
  }

  @Test
  void listsTheDataSourcesThereAre() {
    assertThat(report(Sources.class, "once.data-source=shops"))
        .contains("once.data-source is shops, but no DataSource has this name")
        .contains("Set it to one of: shop, billing");
  }

  @Test
  void asksWhichTransactionsToJoin() {
    assertThat(report(Pairs.class, "once.data-source=shop", "once.jobs.enabled=false"))
        .contains("once.mode is transactional, but there is no single PlatformTransactionManager")
        .contains("shopManager and billingManager")
        .contains("Set once.transaction-manager to the name of one of them")
        .doesNotContain("spring.datasource.url");
    assertThat(report(Pairs.class, "once.data-source=shop", "once.mode=leased"))
        .contains("jobs are enqueued in the caller's transaction, but there is no single Platform");
  }

  @Test
  void findsAWrongPairAtStart() {
    String[] wrong = {"once.data-source=shop", "once.transaction-manager=billingManager"};

    assertThat(report(Pairs.class, wrong))
        .contains("the transactions of JdbcTransactionManager are not on the DataSource that has")
        .contains("once.data-source (one of: shop, billing)")
        .contains("once.transaction-manager (one of: shopManager, billingManager)");
    assertThat(
            report(Pairs.class, wrong[0], wrong[1], "once.mode=leased", "once.jobs.enabled=false"))
        .contains(
            "once.transaction-manager is set, but the transactions of JdbcTransactionManager");
  }

  @Test
  void findsAWrongPairBeforeItCreatesTables() {
    JdbcClient other = JdbcClient.create(OTHER);

    report(Others.class, "once.data-source=other", "once.jobs.enabled=false");
    assertThat(count(other, TABLES + "'once%'")).isZero();

    report(Others.class, "once.data-source=other", "once.http.enabled=false");
    assertThat(count(other, TABLES + "'once_job%'")).isZero();
  }

  @Test
  void keepsRecordsAndJobsInTheChosenDatabase() {
    try (ConfigurableApplicationContext app =
        App.run(
            Pairs.class,
            List.of("once.data-source=billing", "once.transaction-manager=billingManager"))) {
      TransactionTemplate transaction =
          new TransactionTemplate(app.getBean("billingManager", PlatformTransactionManager.class));
      Jobs jobs = app.getBean(Jobs.class);
      transaction.executeWithoutResult(status -> jobs.enqueue(welcome("ann")));
      transaction.executeWithoutResult(
          status -> {
            jobs.enqueue(welcome("bob"));
            status.setRollbackOnly();
          });
      app.getBean(Once.class).run(Request.of(new Key("acme", "s", "k"), Codec.text()), e -> "done");
    }

    JdbcClient billing = JdbcClient.create(BILLING);
    assertThat(count(billing, "SELECT count(*) FROM once_job")).isEqualTo(1);
    assertThat(count(billing, "SELECT count(*) FROM once_record")).isEqualTo(1);
  }

  @Test
  void joinsTransactionsThroughAProxyOfTheSource() {
    try (App app = App.start(OverProxy.class, SHOP)) {
      assertThat(app.api().order("proxy", "pen").status()).isEqualTo(201);
      assertThat(app.api().order("proxy", "pen").replayed()).isTrue();
      assertThat(app.orders("pen")).isEqualTo(1);
    }
  }

  @Test
  void joinsTransactionsOfJpa() {
    try (App app = App.start(OverJpa.class, SHOP)) {
      assertThat(app.api().order("jpa", "ink").status()).isEqualTo(201);
      assertThat(app.api().order("jpa", "ink").replayed()).isTrue();
      assertThat(app.orders("ink")).isEqualTo(1);
    }
  }

  @Test
  void refusesASourceThatRoutesByThreadBeforeItCreatesTables() {
    assertThat(report(OverRouting.class))
        .contains("chooses the database by the calling thread, but there must be one to keep")
        .contains("once.data-source")
        .contains("TenantRouting");
    assertThat(count(JdbcClient.create(ROUTED), TABLES + "'once%'")).isZero();
  }

  @Test
  void refusesTransactionsOfJta() {
    assertThat(report(OverJta.class, "once.jobs.enabled=false"))
        .contains("once.mode is transactional, but the transactions of JtaTransactionManager are")
        .contains("such as those of JTA, cannot be joined: use the mode leased");
    assertThat(report(OverJta.class, "once.mode=leased"))
        .contains("jobs are enqueued in the caller's transaction, but the transactions of Jta");
  }

  private static String report(Class<?> application, String... settings) {
    return StartReport.ofStarting(application, List.of(settings));
  }

  private static Job welcome(String name) {
    return Job.of(new JobKey("acme", "mail", "welcome", name));
  }

  private static int count(JdbcClient database, String sql) {
    return database.sql(sql).query(Integer.class).single();
  }
}
