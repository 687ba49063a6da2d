package dev.once.spring;

import dev.once.events.EventStore;
import dev.once.events.EventStoreSettings;
import dev.once.events.PostgresEventStore;
import dev.once.events.ProcessedEvents;
import java.util.Optional;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * The event store and the registry of processed events, in the application's database. They are
 * created, with their tables, when something uses them.
 */
@AutoConfiguration(after = OnceMethodAutoConfiguration.class)
@ConditionalOnClass(EventStore.class)
@ConditionalOnBooleanProperty(
    name = {"once.enabled", "once.events.enabled"},
    matchIfMissing = true)
@EnableConfigurationProperties(EventsProperties.class)
class OnceEventsAutoConfiguration {
  @Bean
  EventVariables onceEventVariables(Environment environment) {
    return new EventVariables(environment);
  }

  @Bean
  @Lazy
  @DependsOnDatabaseInitialization
  EventTables onceEventTables(
      OnceDatabase database,
      OnceProperties properties,
      EventsProperties settings,
      EventVariables variables) {
    return EventTables.open(database, properties, settings, variables);
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean(EventStore.class)
  EventStore onceEventStore(EventTables tables, OnceDatabase database, EventVariables variables) {
    Optional<ManagedTransactions> transactions =
        database.requireTransactions(
            tables.dataSource(), "events are appended in the caller's transaction");
    EventStoreSettings settings = variables.ofStores().withSchema(tables.schema());
    try {
      PostgresEventStore store = PostgresEventStore.over(tables.dataSource(), settings);
      return new SpringEventStore(store, transactions);
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          e.getMessage() + ".",
          "Change the variable, or define a bean of type EventStore, such as an S3EventStore.");
    }
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean
  ProcessedEvents onceProcessedEvents(
      EventTables tables, EventsProperties settings, EventVariables variables) {
    return RegistrySettings.of(settings.registry(), variables).over(tables);
  }
}
