package dev.once.spring;

import dev.once.StoreException;
import dev.once.events.EventsSchema;
import javax.sql.DataSource;

/** The tables of events in the application's database. */
record EventTables(DataSource dataSource, String schema) {
  /** Creates or checks the tables. */
  static EventTables open(
      OnceDatabase database,
      OnceProperties properties,
      EventsProperties settings,
      EventVariables variables) {
    DataSource dataSource =
        database.requireDataSource(
            "events",
            "set once.events.registry.enabled=false, and define a bean of type EventStore if one is"
                + " used");
    String name = name(settings, variables);
    try {
      EventsSchema schema = EventsSchema.named(name);
      if (properties.schema() == OnceProperties.SchemaAction.APPLY) {
        schema.apply(dataSource);
      } else {
        schema.check(dataSource);
      }
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "the schema of events is invalid: " + e.getMessage() + ".", "Change once.events.schema.");
    } catch (StoreException e) {
      throw OnceAutoConfiguration.misconfigured(
          e, properties, " An application without events sets once.events.enabled=false.");
    }
    return new EventTables(dataSource, name);
  }

  private static String name(EventsProperties settings, EventVariables variables) {
    return settings.schema() == null ? variables.ofStores().schema() : settings.schema();
  }
}
