package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo prints one line, and no stack trace, for every error that a user can correct. */
@Timeout(120)
class DemoRefusalTest {
  @TempDir Path folder;

  @Test
  void namesATakenPort() throws Exception {
    try (var other = new ServerSocket(0)) {
      int port = other.getLocalPort();

      assertRefused(
          "port " + port + " is taken: stop what listens there, or choose another with --port",
          "--port",
          Integer.toString(port));
    }
  }

  @Test
  void namesTheContracts() throws Exception {
    assertRefused(
        "no contract is called lenient: choose one of strict planning mobile async ietf stripe",
        "--contract",
        "lenient");
  }

  @Test
  void namesAFolderThatCannotBeWritten() throws Exception {
    Path below = Files.createFile(folder.resolve("file")).resolve(".once");

    assertRefused("cannot write to " + below, "--folder", below.toString());
  }

  @Test
  void namesADatabaseThatDoesNotAnswerButNoPassword() throws Exception {
    String url = "jdbc:postgresql://localhost:1/planning?password=secret";

    String line =
        assertRefused(
            "cannot use the database at jdbc:postgresql://localhost:1/planning:",
            "--database-url",
            url);

    assertThat(line).contains("refused").doesNotContain("secret");
  }

  @Test
  void namesTheKindOfDatabase() throws Exception {
    assertRefused("--database-url must start with jdbc:postgresql:", "--database-url", "mysql://h");
  }

  @Test
  void wipesNoDatabaseOfTheUser() throws Exception {
    assertRefused(
        "--fresh deletes the demo's own data only",
        "--fresh",
        "--database-url",
        "jdbc:postgresql://localhost:1/planning");
  }

  @Test
  void namesDataOfAnotherVersion() throws Exception {
    Path data = Files.createDirectory(folder.resolve("postgres"));
    Files.writeString(data.resolve("PG_VERSION"), "17\n");
    Files.writeString(data.resolve("once.password"), "");

    assertThat(assertRefused("the demo cannot start: ", "--port", "0"))
        .contains("was written by PostgreSQL 17")
        .contains("start fresh to delete it");
  }

  @Test
  void namesAnOptionThatDoesNotExist() throws Exception {
    assertThat(line(2, "--prot", "1")).contains("--prot").contains("./once demo --help");
  }

  private String assertRefused(String start, String... arguments) throws Exception {
    String line = line(1, arguments);
    assertThat(line).startsWith("once: " + start);
    return line;
  }

  private String line(int exitCode, String... arguments) throws Exception {
    Map<String, String> environment = Map.of("JAVA_TOOL_OPTIONS", "-Donce.folder=" + folder);
    try (var demo = DemoProcess.launch(environment, arguments)) {
      assertThat(demo.exitCode()).isEqualTo(exitCode);
      String said = demo.errors().replaceFirst("Picked up JAVA_TOOL_OPTIONS.*\n", "");
      assertThat(said).hasLineCount(1);
      return said;
    }
  }
}
