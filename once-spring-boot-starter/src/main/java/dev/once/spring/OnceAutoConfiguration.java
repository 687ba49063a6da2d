package dev.once.spring;

import dev.once.KeyRing;
import dev.once.Once;
import dev.once.OnceListener;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.TenantLimits;
import dev.once.http.Contract;
import dev.once.http.Route;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonLimits;
import dev.once.servlet.Transactions;
import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
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

/** Configures the engine, over the application's database unless it defines a store. */
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
      OnceDatabase database,
      OnceProperties properties,
      Sealing sealing,
      ObjectProvider<Contract> contract) {
    DataSource dataSource =
        database.requireDataSource(
            "records",
            "define a bean of type RecordStore, such as a JdbcRecordStore with a TenantRouting");
    Optional.ofNullable(contract.getIfUnique())
        .filter(it -> properties.routeMode(it) == Route.Mode.TRANSACTIONAL)
        .ifPresent(it -> database.requirePairOfSeveral(dataSource, "once.mode is transactional"));
    try {
      if (properties.schema() == OnceProperties.SchemaAction.APPLY) {
        JdbcSchema.apply(dataSource);
      }
      return JdbcRecordStore.over(dataSource, sealing);
    } catch (StoreException e) {
      throw misconfigured(e, properties, "");
    }
  }

  @Bean
  OnceDatabase onceDatabase(ListableBeanFactory beans, OnceProperties properties) {
    return OnceDatabase.of(beans, properties.dataSource(), properties.transactionManager());
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Once once(
      RecordStore store,
      List<OnceListener> listeners,
      ObjectProvider<OutcomeCache> cache,
      OnceProperties properties) {
    Once.Builder once =
        Once.builder(store)
            .listener(event -> listeners.forEach(listener -> listener.on(event)))
            .cache(cache.getIfUnique(() -> OutcomeCache.NONE));
    if (properties.drainTime() != null) {
      drain(once, properties.drainTime());
    }
    try {
      return once.limits(limits(properties.limits())).build();
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "once.limits: " + e.getMessage() + ".",
          "Set limits of 1 or more, and those of keys and bytes only for a store that can count"
              + " them, or leave them out.");
    }
  }

  private static void drain(Once.Builder once, Duration drainTime) {
    try {
      once.drainTime(drainTime);
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "once.drain-time: " + e.getMessage() + ".", "Set another time, or leave it out.");
    }
  }

  /** Uses the keys in the settings, unless the application defines a KeyRing or a Sealing. */
  @Bean
  @ConditionalOnMissingBean
  Sealing onceSealing(ObjectProvider<KeyRing> ring, OnceProperties properties) {
    KeyRing own = ring.getIfUnique();
    return own == null ? SealingSettings.of(properties.sealing()) : Sealing.with(own);
  }

  @Bean
  @ConditionalOnMissingBean
  Fingerprinter onceFingerprinter(OnceProperties properties, ObjectProvider<Contract> contract) {
    int maxBody =
        Optional.ofNullable(contract.getIfUnique())
            .map(Contract::maxBodyBytes)
            .orElse(JsonLimits.DEFAULT_MAX_BYTES);
    return Fingerprints.of(properties, Math.max(1, maxBody));
  }

  /** Refuses calls unless there is one JDBC store, one DataSource and one transaction manager. */
  @Bean
  @ConditionalOnMissingBean(Transactions.class)
  SpringTransactions onceTransactions(
      Once once, ObjectProvider<JdbcRecordStore> store, OnceDatabase database) {
    return new SpringTransactions(once, store.getIfUnique(), database);
  }

  private static TenantLimits limits(OnceProperties.Limits settings) {
    TenantLimits limits = TenantLimits.NONE;
    if (settings.maxLiveKeys() != null) {
      limits = limits.withMaxLiveKeys(settings.maxLiveKeys());
    }
    if (settings.maxBytes() != null) {
      limits = limits.withMaxBytes(settings.maxBytes().toBytes());
    }
    return settings.maxInFlight() == null ? limits : limits.withMaxInFlight(settings.maxInFlight());
  }

  /** Describes what to do if the tables cannot be created or found; {@code orElse} is appended. */
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
