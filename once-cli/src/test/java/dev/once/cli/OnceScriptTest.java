package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands through the script {@code once}, in a temporary tree, as processes of their own. In
 * place of Maven's jar there is one that leads to the classes of this test.
 */
@ExtendWith(CliServers.class)
@Timeout(120)
class OnceScriptTest {
  private static final Path RESOURCES = Path.of("src/main/resources/dev/once/cli");
  private static final List<String> MODULES =
      List.of(
          "once-bom",
          "once-core",
          "once-json",
          "once-client",
          "once-jdbc",
          "once-jobs",
          "once-steps",
          "once-workflow",
          "once-inbox",
          "once-webhooks",
          "once-events",
          "once-kafka",
          "once-s3",
          "once-opensearch",
          "once-cli");

  private static final String MAVEN =
      """
      echo '[INFO] Building once-core 0.1.0 [1/2]'
      mkdir -p once-cli/target
      cp program.jar once-cli/target/once-cli-0.1.0.jar
      """;

  private final CliDatabase database = new CliDatabase();

  @TempDir Path root;

  @BeforeEach
  void layOutATree() throws IOException {
    Files.copy(Path.of("../once"), root.resolve("once"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(root.resolve("pom.xml"), "<project>\n<version>0.1.0</version>\n</project>\n");
    for (String module : MODULES) {
      Files.createDirectories(root.resolve(module));
      Files.createFile(root.resolve(module).resolve("pom.xml"));
    }
    Path texts = Files.createDirectories(root.resolve("once-cli").resolve(RESOURCES));
    try (Stream<Path> files = Files.list(RESOURCES)) {
      for (Path file : files.toList()) {
        Files.copy(file, texts.resolve(file.getFileName()));
      }
    }
    Path maven = Files.createDirectories(root.resolve("bin")).resolve("mvn");
    Files.writeString(maven, "#!/bin/sh\n" + MAVEN);
    Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
    writeProgram();
  }

  /** Writes a jar that has the class path of this test. */
  private void writeProgram() throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
    attributes.put(
        Attributes.Name.CLASS_PATH,
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(it -> Path.of(it).toUri().toString())
            .collect(Collectors.joining(" ")));
    try (OutputStream file = Files.newOutputStream(root.resolve("program.jar"))) {
      new JarOutputStream(file, manifest).close();
    }
  }

  @Test
  void buildsAndRunsACommand() throws Exception {
    database.append("e-1", "order.placed", "order", "7");

    Said said = once("events", "tail", "--json");

    assertThat(said.exitCode).as(said.err).isZero();
    assertThat(said.out.lines()).hasSize(2).first().asString().startsWith("{\"id\":\"e-1\",");
    assertThat(said.err).contains("building").contains("  once-core [1/2]\n");
    assertThat(once("events", "tail").err).isEmpty();
  }

  @Test
  void explainsItselfWithoutBuilding() throws Exception {
    try (Stream<Path> files = Files.list(RESOURCES)) {
      for (Path file : files.filter(it -> !it.endsWith("rights.txt")).toList()) {
        String command = commandOf(file);
        Said said = once((command + " --help").split(" ", -1));

        assertThat(said.exitCode).isZero();
        assertThat(said.out).isEqualTo(Files.readString(file)).startsWith("usage: ./once ");
        assertThat(once("--help").out).contains("\n  " + command.split(" ", -1)[0] + " ");
      }
    }
    assertThat(once("events").exitCode).isEqualTo(2);
    assertThat(once("events", "tial").err)
        .startsWith("once: there is no command events tial\nusage: ./once events tail");
    assertThat(once("queue").exitCode).isEqualTo(2);
    assertThat(once("queue", "lsit").err)
        .startsWith("once: there is no command queue lsit\nusage: ./once queue list");
    assertThat(once("runs").exitCode).isEqualTo(2);
    assertThat(once("runs", "hceck").err)
        .startsWith("once: there is no command runs hceck\nusage: ./once runs list");
    assertThat(root.resolve(".once")).doesNotExist();
  }

  /** Returns the words of a command: {@code jobs run-now} for {@code jobs-run-now.txt}. */
  private static String commandOf(Path page) {
    return page.getFileName().toString().replace(".txt", "").replaceFirst("-", " ");
  }

  @Test
  void readsNoSourceAgainUntilOneIsTouched() throws Exception {
    assertThat(once("completion", "bash").exitCode).isZero();
    Path cksum = root.resolve("bin/cksum");
    Files.writeString(
        cksum, "#!/bin/sh\necho read >> " + root + "/reads\nexec /usr/bin/cksum \"$@\"\n");
    Files.setPosixFilePermissions(cksum, PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThat(once("completion", "bash").exitCode).isZero();
    assertThat(root.resolve("reads")).doesNotExist();

    // The same text again, as after a checkout: it is read, and nothing is built.
    Files.writeString(root.resolve("once-core/pom.xml"), "");
    assertThat(once("completion", "bash").err).isEmpty();
    assertThat(root.resolve("reads")).exists();
    Files.delete(root.resolve("reads"));
    assertThat(once("completion", "bash").err).isEmpty();
    assertThat(root.resolve("reads")).doesNotExist();

    Files.writeString(root.resolve("once-core/pom.xml"), "<changed/>");
    assertThat(once("completion", "bash").err).contains("building");
  }

  @Test
  void runsWhereItWasStarted() throws Exception {
    Path directory = Files.createDirectories(root.resolve("elsewhere"));
    Process script = start(directory, "queue", "list", "queue.db");
    assertThat(script.waitFor()).isEqualTo(1);

    Process again = start(directory, "queue", "list", "queue.db");

    assertThat(again.waitFor()).isEqualTo(1);
    assertThat(Files.readString(root.resolve("err")))
        .isEqualTo("once: there is no queue queue.db: check the path\n");
  }

  @Test
  void completesTheCommandsOfAllPrograms() throws Exception {
    Said said = once("completion", "bash");

    assertThat(said.exitCode).as(said.err).isZero();
    assertThat(said.out)
        .contains("_picocli_once_demo_payments()", "--orders")
        .contains("_picocli_once_bench()", "--rounds")
        .contains("_picocli_once_jobs_runnow()");
  }

  @Test
  void aSignalEndsTheRelayCleanly() throws Exception {
    database.append("e-1", "order.placed", "order", "7");
    Process relay = start("relay", "--topic", "script-relay");
    assertThat(CliServers.published(1, "script-relay")).containsExactly("script-relay:e-1");

    relay.destroy();

    assertThat(relay.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(relay.exitValue()).isEqualTo(143);
    assertThat(Files.readString(root.resolve("err")))
        .endsWith("relay relay is running; Ctrl-C stops it\nrelay relay has ended\n");
    assertThat(
            database.query(
                "SELECT lease_until <= clock_timestamp() FROM spice_event_registry.relay"))
        .containsExactly("t");
  }

  /** The script's output and exit code. */
  private record Said(int exitCode, String out, String err) {}

  private Said once(String... arguments) throws Exception {
    Process script = start(arguments);
    String out = script.inputReader().lines().map(it -> it + "\n").collect(Collectors.joining());
    return new Said(script.waitFor(), out, Files.readString(root.resolve("err")));
  }

  private Process start(String... arguments) throws IOException {
    return start(Path.of("").toAbsolutePath(), arguments);
  }

  private Process start(Path directory, String... arguments) throws IOException {
    List<String> command =
        Stream.concat(Stream.of("bash", root.resolve("once").toString()), Stream.of(arguments))
            .toList();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(root.resolve("err").toFile());
    Map<String, String> environment = builder.environment();
    environment.putAll(database.environment());
    environment.put("KAFKA_BOOTSTRAP_SERVERS", CliServers.kafka().bootstrapServers());
    environment.put("PATH", root.resolve("bin") + ":/usr/bin:/bin");
    return builder.start();
  }
}
