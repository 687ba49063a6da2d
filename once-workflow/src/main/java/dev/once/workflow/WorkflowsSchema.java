package dev.once.workflow;

import dev.once.StoreException;
import dev.once.jdbc.internal.Schema;
import java.util.List;
import javax.sql.DataSource;

/**
 * The tables that {@link Workflows} needs beside those of jobs, in versions; the scripts are in
 * this package's resources.
 */
public final class WorkflowsSchema {
  private static final Schema SCHEMA =
      new Schema(
          WorkflowsSchema.class, "once_workflow_schema", List.of("postgresql/V1__workflows.sql"));

  private WorkflowsSchema() {}

  /**
   * Upgrades the database to this release's version. Safe to call from many nodes concurrently and
   * again at every start; all or nothing.
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
