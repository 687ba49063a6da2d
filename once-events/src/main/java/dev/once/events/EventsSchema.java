package dev.once.events;

import dev.once.StoreException;
import dev.once.jdbc.internal.Schema;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The tables of event stores and consumers, in versions and in a PostgreSQL schema of their own;
 * the scripts are in this package's resources.
 */
public final class EventsSchema {
  /** The name of the PostgreSQL schema unless another one is chosen. */
  public static final String DEFAULT_NAME = "spice_event_registry";

  private final Schema schema;

  private EventsSchema(Schema schema) {
    this.schema = schema;
  }

  /** Names the PostgreSQL schema, in lower-case letters, digits and underscores. */
  public static EventsSchema named(String name) {
    return new EventsSchema(
        new Schema(
            EventsSchema.class,
            name + ".schema_version",
            List.of("postgresql/V1__events.sql", "postgresql/V2__processed_events.sql"),
            Optional.of(name)));
  }

  /**
   * Upgrades the database to this release's version. Safe to call from many nodes concurrently and
   * again at every start; all or nothing.
   *
   * @throws StoreException if the database is of a newer release
   */
  public void apply(DataSource dataSource) {
    schema.apply(dataSource);
  }

  /**
   * Makes sure that this release can work with the database as it is.
   *
   * @throws StoreException if the schema is missing, older or newer
   */
  public void check(DataSource dataSource) {
    schema.check(dataSource);
  }
}
