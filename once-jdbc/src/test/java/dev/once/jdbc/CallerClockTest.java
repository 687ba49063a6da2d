package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Once;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All times come from the database, so the clock of the caller has no influence on the answers. */
class CallerClockTest {
  private static final List<String> WALL_CLOCKS =
      List.of("currentTimeMillis", "java/time/Clock", "java/util/Date", "java/time/LocalDateTime");

  @Test
  void readsTheCallersClockNowhereInTheEngineOrTheStore() throws Exception {
    List<Path> classes = new ArrayList<>(classesOf(JdbcRecordStore.class));
    classes.addAll(classesOf(Once.class));

    assertThat(classes).hasSizeGreaterThan(40);
    assertThat(classes).noneMatch(CallerClockTest::readsTheClock);
  }

  /** Except the in-memory store, which has no other clock than the one it is given. */
  private static boolean readsTheClock(Path classFile) {
    if (String.valueOf(classFile.getFileName()).startsWith("InMemoryRecordStore")) {
      return false;
    }
    try {
      String text = new String(Files.readAllBytes(classFile), StandardCharsets.ISO_8859_1);
      return WALL_CLOCKS.stream().anyMatch(text::contains) || text.contains("InstantSource");
    } catch (IOException e) {
      throw new AssertionError(classFile.toString(), e);
    }
  }

  private static List<Path> classesOf(Class<?> type) throws IOException, URISyntaxException {
    Path place = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      return classesIn(place);
    }
    return classesIn(FileSystems.newFileSystem(place).getPath("/"));
  }

  private static List<Path> classesIn(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(it -> it.toString().endsWith(".class")).toList();
    }
  }
}
