package dev.once.jdbc;

import dev.once.StoreException;
import dev.once.jdbc.spi.Schema;
import java.util.List;
import javax.sql.DataSource;

/**
 * The table that {@link JdbcRecordStore} needs, in versions. The scripts are in this package's
 * resources, one per version, so that they can be read, reviewed, and run by another tool.
 */
public final class JdbcSchema {
  private static final Schema SCHEMA =
      new Schema(JdbcSchema.class, "once_schema", List.of("postgresql/V1__records.sql"));

  /** The version this release works with: one script each. */
  static final int VERSION = SCHEMA.version();

  private JdbcSchema() {}

  /**
   * Brings the database to this release's version. Safe to call from many nodes at once and again
   * at every start; all or nothing.
   *
   * @throws StoreException if the database is of a newer release
   */
  public static void apply(DataSource dataSource) {
    SCHEMA.apply(dataSource);
  }

  /**
   * Makes sure that this release can work with the database as it is.
   *
   * @throws StoreException if the schema is missing, older or newer
   */
  public static void check(DataSource dataSource) {
    SCHEMA.check(dataSource);
  }
}
