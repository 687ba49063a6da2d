package dev.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another JVM that starts a server, and its report about that server. */
record OtherJvm(Process process, String launch, Path workspace, List<ProcessHandle> processes) {
  /**
   * Starts a JVM and returns when its server is ready.
   *
   * @param arguments {@code keep} or {@code pause}, and the data directory unless it is temporary;
   *     {@code exit} uses the shared server
   */
  static OtherJvm start(String... arguments) throws IOException {
    return start(List.of(), classPath(), arguments);
  }

  static OtherJvm start(List<String> prefix, String classPath, String... arguments)
      throws IOException {
    return report(launch(prefix, classPath, Redirect.INHERIT, arguments));
  }

  /** Starts a JVM and returns at once. */
  static Process launch(List<String> prefix, String classPath, Redirect errors, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // It ends before better code would pay.
    command.addAll(List.of("-cp", classPath, Child.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).directory(new File("/")).redirectError(errors).start();
  }

  /** Waits for the report of {@code jvm}. */
  static OtherJvm report(Process jvm) throws IOException {
    BufferedReader out = jvm.inputReader();
    String launch = String.valueOf(out.readLine());
    Path workspace = Path.of(String.valueOf(out.readLine()));
    List<ProcessHandle> processes =
        Stream.of(String.valueOf(out.readLine()).split(" ", -1))
            .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
            .toList();
    return new OtherJvm(jvm, launch, workspace, processes);
  }

  static String classPath() {
    return System.getProperty("java.class.path");
  }

  long pid() {
    return process.pid();
  }

  /** Returns the main process of the server. */
  ProcessHandle server() {
    return processes.get(0);
  }

  void exit() throws IOException, InterruptedException {
    process.getOutputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  /** Ends the JVM with SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Ends the JVM and the guard with SIGKILL, so that the server keeps running. */
  void killWithGuard() throws IOException, InterruptedException {
    ProcessHandle guard = processes.get(1);
    guard.destroyForcibly();
    assertThat(PostgresServer.awaitEnd(List.of(guard))).isTrue();
    kill();
    PostgresFiles.deleteTree(workspace);
    assertThat(server().isAlive()).isTrue();
  }

  void requireAllGone() {
    assertThat(processes).hasSizeGreaterThan(4);
    assertThat(PostgresServer.awaitEnd(processes)).isTrue();
    assertThat(Files.exists(workspace)).isFalse();
  }

  /** The program: starts a server, prints a report about it, and waits until its input ends. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws IOException, SQLException {
      EmbeddedPostgres postgres =
          arguments[0].equals("exit") ? EmbeddedPostgres.shared() : own(arguments);
      postgres.newDatabase("child");
      List<Long> pids = new ArrayList<>(List.of(postgres.pid(), postgres.guardPid()));
      ProcessHandle first = ProcessHandle.of(postgres.pid()).orElseThrow();
      first.descendants().forEach(process -> pids.add(process.pid()));
      if (arguments[0].equals("pause")) {
        postgres.pause();
      }
      System.out.println(postgres.launch());
      System.out.println(postgres.workspace());
      System.out.println(pids.stream().map(String::valueOf).collect(Collectors.joining(" ")));
      while (System.in.read() >= 0) {}
    }

    private static EmbeddedPostgres own(String... arguments) throws SQLException {
      var builder = EmbeddedPostgres.builder().durable();
      if (arguments.length > 1) {
        builder.dataDirectory(Path.of(arguments[1]));
      }
      EmbeddedPostgres postgres = builder.start();
      EmbeddedPostgresTest.execute(
          postgres.dataSource("postgres"), "create table if not exists notes as select 7 as n");
      return postgres;
    }
  }
}
