package dev.once.examples.pipeline;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;

/** The tables of this example. */
final class PipelineSchema {
  private PipelineSchema() {}

  /** Creates the tables that are missing. Safe to call from many processes at the same time. */
  static void apply(DataSource database) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(script()); // Several statements in one call are one transaction.
    } catch (SQLException e) {
      throw new IllegalStateException("the tables cannot be created: " + e.getMessage(), e);
    }
  }

  private static String script() {
    try (InputStream script = PipelineSchema.class.getResourceAsStream("schema.sql")) {
      byte[] bytes = Objects.requireNonNull(script, "schema.sql").readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
