package dev.once.jdbc;

import dev.once.StoreException;
import dev.once.jdbc.internal.Schema;
import java.util.List;
import javax.sql.DataSource;

/**
 * The versioned table of {@link JdbcRecordStore}. The scripts are in this package's resources, one
 * per version, so that they can be read, reviewed, and run by another tool.
 */
public final class JdbcSchema {
  private static final Schema SCHEMA =
      new Schema(JdbcSchema.class, "once_schema", List.of("postgresql/V1__records.sql"));

  /** The version that this release works with. */
  public static final int VERSION = SCHEMA.version();

  private JdbcSchema() {}

  /**
   * Upgrades the schema to this release's version. Safe to call from many nodes at once and again
   * at every start. A failed upgrade changes nothing.
   *
   * @throws StoreException if the schema is of a newer release
   */
  public static void apply(DataSource dataSource) {
    SCHEMA.apply(dataSource);
  }

  /**
   * Checks that this release can work with the schema as it is.
   *
   * @throws StoreException if the schema is missing, older or newer
   */
  public static void check(DataSource dataSource) {
    SCHEMA.check(dataSource);
  }
}
