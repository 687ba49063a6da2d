package dev.once.spring;

import dev.once.Once;
import dev.once.OnceListener;
import dev.once.StoreException;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.json.Fingerprinter;
import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordStore;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/** The engine, over the application's database unless it brings a store of its own. */
@AutoConfiguration(
    after = {
      DataSourceAutoConfiguration.class,
      DataSourceTransactionManagerAutoConfiguration.class
    })
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OnceProperties.class)
class OnceAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean(RecordStore.class)
  @ConditionalOnProperty(name = "once.store", havingValue = "jdbc", matchIfMissing = true)
  @DependsOnDatabaseInitialization
  JdbcRecordStore onceRecordStore(
      ObjectProvider<DataSource> dataSources, OnceProperties properties) {
    DataSource dataSource = dataSources.getIfUnique();
    if (dataSource == null) {
      throw new MisconfiguredException(
          "there is no single DataSource to keep records in.",
          "Configure spring.datasource.url for a PostgreSQL database, mark one of several"
              + " DataSource beans as @Primary, or define a bean of type RecordStore.");
    }
    try {
      if (properties.schema() == OnceProperties.SchemaAction.APPLY) {
        JdbcSchema.apply(dataSource);
      }
      return JdbcRecordStore.over(dataSource);
    } catch (StoreException e) {
      throw misconfigured(e, properties, "");
    }
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Once once(RecordStore store, List<OnceListener> listeners, ObjectProvider<OutcomeCache> cache) {
    return Once.builder(store)
        .listener(event -> listeners.forEach(listener -> listener.on(event)))
        .cache(cache.getIfUnique(() -> OutcomeCache.NONE))
        .build();
  }

  @Bean
  @ConditionalOnMissingBean
  Fingerprinter onceFingerprinter(OnceProperties properties) {
    return Fingerprints.of(properties.fingerprintSecret());
  }

  /** For as long as the application has a store and a manager of transactions on its database. */
  @Bean
  @ConditionalOnMissingBean
  SpringTransactions onceTransactions(
      Once once,
      ObjectProvider<JdbcRecordStore> store,
      ObjectProvider<DataSource> dataSource,
      ObjectProvider<PlatformTransactionManager> manager) {
    return new SpringTransactions(
        once, store.getIfUnique(), dataSource.getIfUnique(), manager.getIfUnique());
  }

  /** What to do about tables that cannot be had, and what else there is to do. */
  static MisconfiguredException misconfigured(
      StoreException e, OnceProperties properties, String orElse) {
    String action =
        properties.schema() == OnceProperties.SchemaAction.APPLY
            ? "Check that the database is PostgreSQL, that it runs, and that its user may create"
                + " tables; or create them by hand and set once.schema=check."
            : "Create the tables as docs/operating/postgresql.md shows, or set once.schema=apply.";
    MisconfiguredException misconfigured =
        new MisconfiguredException(String.valueOf(e.getMessage()), action + orElse);
    misconfigured.initCause(e);
    return misconfigured;
  }
}
