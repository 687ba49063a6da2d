package dev.once.embedded;

import static dev.once.embedded.EmbeddedPostgresTest.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which servers the next program stops on its data directory, and which it leaves running. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT) // It waits for other JVMs.
@ResourceLock("LeftoverServerTest")
class LeftoverServerTest {
  @TempDir Path parent;
  private Path data = Path.of("");

  @BeforeEach
  void chooseADirectory() {
    data = parent.resolve("kept");
  }

  @ParameterizedTest
  @ValueSource(strings = {"keep", "pause"})
  void stopsTheServerOfAJvmThatWasKilledWithItsGuard(String mode) throws Exception {
    var jvm = OtherJvm.start(mode, data.toString());
    jvm.killWithGuard();

    try (var next = start()) {
      assertThat(query(next.dataSource("postgres"), "select n from notes")).isEqualTo("7");
    }

    jvm.requireAllGone();
  }

  @Test
  void letsOneOfTwoJvmsTakeOver() throws Exception {
    var killed = OtherJvm.start("keep", data.toString());
    killed.killWithGuard();

    Process one = launch();
    Process other = launch();
    CompletableFuture.anyOf(one.onExit(), other.onExit()).get(120, TimeUnit.SECONDS);

    Process refused = one.isAlive() ? other : one;
    OtherJvm winner = OtherJvm.report(one.isAlive() ? one : other);
    assertThat(refused.errorReader().lines().toList().toString())
        .contains(data + " is in use by process ");
    winner.exit();
    killed.requireAllGone();
    winner.requireAllGone();
  }

  @Test
  void leavesTheServerOfALiveJvmRunning() throws Exception {
    var jvm = OtherJvm.start("keep", data.toString());
    Files.delete(parent.resolve("kept.lock"));

    assertThatThrownBy(this::start)
        .hasMessageContaining(data + " is in use by process " + jvm.pid());

    assertThat(jvm.server().isAlive()).isTrue();
    jvm.exit();
  }

  @Test
  void leavesAServerRunningThatAnotherProgramStarted(@TempDir Path workspace) throws Exception {
    EmbeddedPostgres first = start();
    first.close();
    List<String> command = new ArrayList<>();
    command.add(PostgresBinaries.unpacked().postgres().toString());
    command.addAll(List.of("-D", data.toString()));
    command.addAll(
        new PostgresSettings(data, false, false, Map.of(), null).arguments(first.port()));
    PostgresLaunch launch = first.launch();
    launch.own(workspace);
    PostgresGuard guard = PostgresGuard.start(workspace);
    Path log = workspace.resolve("log");
    var server = PostgresServer.start(launch.command(command), data, log, guard);

    assertThatThrownBy(this::start)
        .hasMessageContaining(data + " is still in use by a server, process " + server.pid());

    assertThat(server.isRunning()).isTrue();
    server.stop();
    guard.dismiss();
    start().close();
  }

  @Test
  void startsWhenTheOldProcessIdBelongsToAnotherServer() throws Exception {
    start().close();
    long other = EmbeddedPostgres.shared().pid();
    Files.writeString(data.resolve("postmaster.pid"), other + "\n");

    start().close();

    assertThat(query(EmbeddedPostgres.shared().dataSource("postgres"), "select 1")).isEqualTo("1");
  }

  @Test
  void refusesADirectoryOfAServerThatIsNotVisible() throws Exception {
    assumeTrue(Files.exists(Path.of("/usr/bin/flock")), "the lock that is found here needs flock");
    var jvm = OtherJvm.start("keep", data.toString());
    jvm.killWithGuard();
    Path pidFile = data.resolve("postmaster.pid");
    String content = Files.readString(pidFile);
    // In another container the same number is another process, or none.
    Files.writeString(pidFile, ProcessHandle.current().pid() + "\n");

    assertThatThrownBy(this::start).hasMessageContaining("a server that is not visible here");

    assertThat(pidFile).exists();
    assertThat(jvm.server().isAlive()).isTrue();
    Files.writeString(pidFile, content);
    start().close();
    jvm.requireAllGone();
  }

  private EmbeddedPostgres start() {
    return EmbeddedPostgres.builder().dataDirectory(data).start();
  }

  private Process launch() throws Exception {
    return OtherJvm.launch(List.of(), OtherJvm.classPath(), Redirect.PIPE, "keep", data.toString());
  }
}
