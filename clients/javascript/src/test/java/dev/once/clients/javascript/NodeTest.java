package dev.once.clients.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The client's own tests, a file each. With a Node installed: {@code npm test}. */
class NodeTest {
  /** So that a test that hangs is named, and does not hold up the build. */
  private static final String LIMIT = "--test-timeout=60000";

  @ParameterizedTest
  @MethodSource("files")
  void passes(String file) throws IOException, InterruptedException {
    Node.Run run = Node.run("--test", LIMIT, "--test-reporter=spec", "test/" + file);

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).containsPattern("pass [1-9]");
  }

  static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(Node.CLIENT.resolve("test"))) {
      return files
          .map(it -> it.getFileName().toString())
          .filter(it -> it.endsWith(".test.js"))
          .sorted()
          .toList();
    }
  }
}
