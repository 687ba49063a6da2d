package dev.once.webhooks;

import dev.once.StoreException;
import dev.once.jdbc.internal.Schema;
import java.util.List;
import javax.sql.DataSource;

/**
 * Creates and checks the table of endpoints, in versions; the scripts are in this package's
 * resources. The schemas of once-jdbc and once-jobs come first.
 */
public final class WebhooksSchema {
  private static final Schema SCHEMA =
      new Schema(
          WebhooksSchema.class, "once_webhook_schema", List.of("postgresql/V1__webhooks.sql"));

  private WebhooksSchema() {}

  /**
   * Migrates the database to this release's version, completely or not at all. It can be called
   * concurrently from many nodes and again at every start.
   *
   * @throws StoreException if the database is of a newer release
   */
  public static void apply(DataSource dataSource) {
    SCHEMA.apply(dataSource);
  }

  /**
   * Checks that this release can work with the database as it is.
   *
   * @throws StoreException if the schema is missing, older or newer
   */
  public static void check(DataSource dataSource) {
    SCHEMA.check(dataSource);
  }
}
