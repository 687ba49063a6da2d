package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.StoreException;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class JdbcSchemaTest {
  private final DataSource database = EmbeddedPostgres.shared().newDatabase("schema");

  @Test
  void refusesADatabaseWithoutTheSchemaAndSaysWhatToCall() {
    assertThatThrownBy(() -> JdbcRecordStore.over(database))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the schema of Once has version 0, this release needs 1: call JdbcSchema.apply");
  }

  @Test
  void appliesTheSchemaOnce() throws Exception {
    JdbcSchema.apply(database);
    JdbcSchema.apply(database);

    assertThatCode(() -> JdbcRecordStore.over(database)).doesNotThrowAnyException();
    assertThat(versions()).containsExactly("1");
  }

  @Test
  void appliesTheSchemaOnceForManyNodesAtATime() throws Exception {
    CompletableFuture<?>[] nodes =
        Stream.generate(() -> CompletableFuture.runAsync(() -> JdbcSchema.apply(database)))
            .limit(8)
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(nodes).join();

    assertThat(versions()).containsExactly("1");
  }

  @Test
  void appliesTheSchemaOnceForManyNodesWhoseTransactionsAreSerializable() throws Exception {
    DataSource strict = EmbeddedPostgres.shared().newDatabase("schema");
    ((PGSimpleDataSource) strict).setOptions("-c default_transaction_isolation=serializable");
    CompletableFuture<?>[] nodes =
        Stream.generate(() -> CompletableFuture.runAsync(() -> JdbcSchema.apply(strict)))
            .limit(8)
            .toArray(CompletableFuture<?>[]::new);

    CompletableFuture.allOf(nodes).join();

    JdbcSchema.check(strict);
  }

  @Test
  void refusesTheSchemaOfANewerRelease() throws Exception {
    JdbcSchema.apply(database);
    try (Connection connection = database.getConnection()) {
      Sql.execute(connection, "INSERT INTO once_schema (version) VALUES (2)");
    }

    String message = "the schema of Once has version 2, this release knows up to 1";
    assertThatThrownBy(() -> JdbcRecordStore.over(database)).hasMessageStartingWith(message);
    assertThatThrownBy(() -> JdbcSchema.apply(database)).hasMessageStartingWith(message);
  }

  private List<String> versions() throws Exception {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, "SELECT version FROM once_schema");
    }
  }
}
