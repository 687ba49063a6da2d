package dev.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class EmbeddedPostgresTest {
  @Test
  void answersQueries() throws SQLException {
    DataSource database = EmbeddedPostgres.shared().newDatabase("answersQueries");

    assertThat(query(database, "select version()")).startsWith("PostgreSQL 18");
    assertThat(query(database, "show server_encoding")).isEqualTo("UTF8");
    assertThat(query(database, "show fsync")).isEqualTo("off");
  }

  @Test
  void sharesOneServer() {
    assertThat(EmbeddedPostgres.shared()).isSameAs(EmbeddedPostgres.shared());
  }

  @Test
  void keepsDatabasesApart() throws SQLException {
    DataSource one = EmbeddedPostgres.shared().newDatabase("Some \"Test\"; drop");
    DataSource other = EmbeddedPostgres.shared().newDatabase("Some \"Test\"; drop");

    execute(one, "create table notes (text text)");

    assertThat(query(one, "select count(*) from notes")).isEqualTo("0");
    assertThatThrownBy(() -> query(other, "select count(*) from notes"))
        .hasMessageContaining("does not exist");
  }

  @Test
  void takesTwoHundredConnections() throws SQLException {
    DataSource database = EmbeddedPostgres.shared().newDatabase("many");
    List<Connection> connections = new ArrayList<>();

    try {
      for (int i = 0; i < 200; i++) {
        connections.add(database.getConnection());
      }
    } finally {
      for (Connection connection : connections) {
        connection.close();
      }
    }

    assertThat(connections).hasSize(200);
  }

  @Test
  void refusesAWrongPassword() {
    PGSimpleDataSource database = EmbeddedPostgres.shared().dataSource("postgres");
    database.setPassword("wrong");

    assertThatThrownBy(database::getConnection)
        .hasMessageContaining("password authentication failed");
  }

  @Test
  void refusesToStopTheSharedServer() {
    EmbeddedPostgres shared = EmbeddedPostgres.shared();

    assertThatThrownBy(shared::stop).hasMessageContaining("EmbeddedPostgres.builder()");
    assertThatThrownBy(shared::kill).hasMessageContaining("EmbeddedPostgres.builder()");
    assertThatThrownBy(shared::close).hasMessageContaining("EmbeddedPostgres.builder()");
  }

  @Test
  void appliesExtraSettings() throws SQLException {
    try (var own = EmbeddedPostgres.builder().setting("work_mem", "7MB").start()) {
      assertThat(query(own.dataSource("postgres"), "show work_mem")).isEqualTo("7MB");
    }
  }

  @Test
  void saysWhyItCannotStart() {
    var builder = EmbeddedPostgres.builder().setting("no_such_setting", "1");

    assertThatThrownBy(builder::start)
        .hasMessageContaining("cannot start PostgreSQL")
        .hasMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
  }

  @Test
  void runsAsAnUnprivilegedUserForRoot() throws SQLException {
    assumeTrue(new UnixSystem().getUid() == 0, "only root can choose another user");

    try (var own = EmbeddedPostgres.builder().launch(PostgresLaunch.NOBODY).start()) {
      assertThat(query(own.newDatabase("nobody"), "select 1")).isEqualTo("1");
      own.kill();
      own.restart();
      assertThat(query(own.newDatabase("nobody"), "select 1")).isEqualTo("1");
    }
  }

  static String query(DataSource database, String sql) throws SQLException {
    try (var connection = database.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).as(sql).isTrue();
      return String.valueOf(rows.getString(1));
    }
  }

  static void execute(DataSource database, String sql) throws SQLException {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
