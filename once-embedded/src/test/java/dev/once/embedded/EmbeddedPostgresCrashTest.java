package dev.once.embedded;

import static dev.once.embedded.EmbeddedPostgresTest.execute;
import static dev.once.embedded.EmbeddedPostgresTest.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class EmbeddedPostgresCrashTest {
  @Test
  void keepsCommitsOverAKillWhenDurable() throws SQLException {
    try (var own = EmbeddedPostgres.builder().durable().start()) {
      PGSimpleDataSource database = own.newDatabase("crash");
      execute(database, "create table notes as select 7 as n");

      own.kill();
      assertThatThrownBy(database::getConnection).isInstanceOf(SQLException.class);
      own.restart();

      assertThat(query(database, "select n from notes")).isEqualTo("7");
      assertThat(query(database, "show fsync")).isEqualTo("on");
      assertThat(query(database, "show synchronous_commit")).isEqualTo("on");
      assertThat(query(database, "show full_page_writes")).isEqualTo("on");
    }
  }

  @Test
  void keepsCommitsOverAKillWithoutFsync() throws SQLException {
    try (var own = EmbeddedPostgres.builder().start()) {
      PGSimpleDataSource database = own.newDatabase("crash");
      execute(database, "create table notes as select 7 as n");

      own.kill();
      own.restart();

      assertThat(query(database, "select n from notes")).isEqualTo("7");
    }
  }

  @Test
  void killsABackendThatIsBusy() throws SQLException {
    try (var own = EmbeddedPostgres.builder().start();
        var connection = own.dataSource("postgres").getConnection();
        var statement = connection.createStatement()) {
      List<ProcessHandle> all = processes(own);
      statement.execute("begin");

      own.kill();

      assertThat(all).hasSizeGreaterThan(3);
      assertThat(PostgresServer.awaitEnd(all)).isTrue();
      assertThatThrownBy(() -> statement.execute("select 1")).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void startsAgainAfterAStop() throws SQLException {
    try (var own = EmbeddedPostgres.builder().start()) {
      PGSimpleDataSource database = own.newDatabase("stop");
      execute(database, "create table notes as select 7 as n");

      own.stop();
      assertThatThrownBy(database::getConnection).isInstanceOf(SQLException.class);
      own.restart();

      assertThat(query(database, "select n from notes")).isEqualTo("7");
    }
  }

  @Test
  void doesNotAnswerWhilePaused() throws SQLException {
    try (var own = EmbeddedPostgres.builder().start()) {
      PGSimpleDataSource database = own.newDatabase("pause");
      PGSimpleDataSource impatient = own.dataSource("postgres");
      impatient.setLoginTimeout(1);

      own.pause();
      assertThatThrownBy(impatient::getConnection).isInstanceOf(SQLException.class);
      own.resume();

      assertThat(query(database, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void leavesNothingBehind() {
    EmbeddedPostgres own = EmbeddedPostgres.builder().start();
    List<ProcessHandle> all = processes(own);
    all.add(ProcessHandle.of(own.guardPid()).orElseThrow());
    own.pause();

    own.close();

    assertThat(all).hasSizeGreaterThan(3);
    assertThat(PostgresServer.awaitEnd(all)).isTrue();
    assertThat(Files.exists(own.workspace())).isFalse();
    assertThatThrownBy(() -> own.dataSource("postgres").getConnection())
        .hasRootCauseInstanceOf(ConnectException.class);
    own.close();
    assertThatThrownBy(own::restart).hasRootCauseMessage("the server is closed");
  }

  private static List<ProcessHandle> processes(EmbeddedPostgres postgres) {
    ProcessHandle first = ProcessHandle.of(postgres.pid()).orElseThrow();
    List<ProcessHandle> all = new ArrayList<>(first.descendants().toList());
    all.add(first);
    return all;
  }
}
