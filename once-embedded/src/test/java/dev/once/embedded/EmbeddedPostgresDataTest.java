package dev.once.embedded;

import static dev.once.embedded.EmbeddedPostgresTest.execute;
import static dev.once.embedded.EmbeddedPostgresTest.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** A server that keeps its data, for programs other than tests. */
class EmbeddedPostgresDataTest {
  /** For tests that only look at a server while it runs. */
  @TempDir static Path runningData;

  @TempDir Path parent;
  private Path data = Path.of("");

  private static EmbeddedPostgres running;

  @BeforeAll
  static void startOne() {
    running = EmbeddedPostgres.builder().dataDirectory(runningData).start();
  }

  @AfterAll
  static void stopIt() {
    running.close();
  }

  @BeforeEach
  void chooseADirectory() {
    data = parent.resolve("kept");
  }

  @Test
  void keepsDataForTheNextServer() throws SQLException {
    try (var first = start()) {
      execute(first.dataSource("postgres"), "create table notes as select 7 as n");
    }

    try (var second = start()) {
      assertThat(query(second.dataSource("postgres"), "select n from notes")).isEqualTo("7");
    }
  }

  @Test
  void forgetsDataWhenAskedTo() throws SQLException {
    try (var first = start()) {
      execute(first.dataSource("postgres"), "create table notes as select 7 as n");
    }

    try (var second = EmbeddedPostgres.builder().dataDirectory(data).fresh().start()) {
      assertThat(query(second.dataSource("postgres"), "select to_regclass('notes') is null"))
          .isEqualTo("t");
    }
  }

  @Test
  void forgetsNoDataOfARunningServer() throws SQLException {
    var second = EmbeddedPostgres.builder().dataDirectory(runningData).fresh();

    assertThatThrownBy(second::start).hasMessageContaining("is in use");
    assertThat(query(running.newDatabase("alive"), "select 1")).isEqualTo("1");
  }

  @Test
  void showsThePasswordToItsOwnerAlone() throws IOException {
    assertThat(mode(runningData)).isEqualTo("rwx------");
    assertThat(mode(runningData.resolve("once.password"))).isEqualTo("rw-------");
  }

  @Test
  void listensOnLoopbackAlone() throws SQLException {
    PGSimpleDataSource database = running.dataSource("postgres");

    assertThat(query(database, "show listen_addresses")).isEqualTo("127.0.0.1");
    assertThat(query(database, "show unix_socket_directories")).isEmpty();
  }

  @Test
  void isOutOfReachOfCtrlCAndOfAKillOfTheGroup() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/stat")), "process groups are read from /proc");

    assertThat(processGroup(running.pid())).isEqualTo(running.pid());
    assertThat(processGroup(running.guardPid())).isEqualTo(running.guardPid());
  }

  @Test
  void refusesADirectoryThatAnotherServerHas() throws SQLException {
    var second = EmbeddedPostgres.builder().dataDirectory(runningData);

    assertThatThrownBy(second::start)
        .hasMessageContaining(
            runningData + " is in use by process " + ProcessHandle.current().pid());
    assertThat(query(running.dataSource("postgres"), "select 1")).isEqualTo("1");
  }

  @Test
  void startsWhenTheOldProcessIdBelongsToAnotherProcess() throws IOException {
    start().close();
    Files.writeString(data.resolve("postmaster.pid"), ProcessHandle.current().pid() + "\n");

    start().close();

    assertThat(data.resolve("postmaster.pid")).doesNotExist();
  }

  @Test
  void startsAfterAFirstStartThatWasCutShort() throws IOException {
    Path half = Files.createDirectory(parent.resolve("kept.partial"));
    Files.writeString(half.resolve("PG_VERSION"), "18\n");

    start().close();

    assertThat(half).doesNotExist();
    assertThat(data.resolve("PG_VERSION")).exists();
  }

  @Test
  void usesAnEmptyDirectoryAndNoOther() throws IOException {
    Files.createDirectory(data);
    start().close();
    Files.delete(data.resolve("once.password"));
    Files.delete(data.resolve("PG_VERSION"));

    assertThatThrownBy(EmbeddedPostgres.builder().dataDirectory(data).fresh()::start)
        .hasMessageContaining("choose an empty directory");
  }

  @Test
  void saysWhichVersionWroteTheData() throws IOException {
    start().close();
    Files.writeString(data.resolve("PG_VERSION"), "17\n");

    assertThatThrownBy(this::start)
        .hasMessageContaining("was written by PostgreSQL 17 and cannot be read by PostgreSQL 18");
  }

  private EmbeddedPostgres start() {
    return EmbeddedPostgres.builder().dataDirectory(data).start();
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  // After the name, which is in parentheses: state, parent, group.
  private static long processGroup(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return Long.parseLong(stat.substring(stat.lastIndexOf(')')).split(" ", -1)[3]);
  }
}
