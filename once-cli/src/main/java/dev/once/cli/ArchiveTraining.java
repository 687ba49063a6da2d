package dev.once.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;

/**
 * Loads what commands use, so that the JVM can write the classes into an archive from which later
 * commands start in half the time. The script runs it once after a build.
 */
final class ArchiveTraining {
  /** Commands that wait for an answer of something else, such as Kafka, are not sped up. */
  private static final List<String> PACKAGES =
      List.of(
          "dev/once/",
          "picocli/",
          "com/zaxxer/hikari/",
          "org/postgresql/",
          "org/sqlite/",
          "org/slf4j/",
          "tools/jackson/");

  private ArchiveTraining() {}

  /** Runs commands that fail or print little, and loads the classes that they did not need. */
  public static void main(String[] arguments) throws Exception {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    Session session = new Session(Map.of(), nowhere, nowhere, prompt -> Optional.empty());
    String unreachable = "jdbc:postgresql://127.0.0.1:1/none";
    int unused = Cli.run(session, "completion", "bash");
    unused = Cli.run(session, "runs", "list", "--json", "--database-url", unreachable);
    unused = Cli.run(session, "inspect", "--json", "--database-url", unreachable);
    unused = useQueue(session);
    loadClasses();
  }

  private static int useQueue(Session session) throws IOException {
    Path directory = Files.createTempDirectory("once-training");
    Path file = directory.resolve("queue.db");
    try {
      int sent =
          Cli.run(
              session,
              "send",
              "POST",
              "http://127.0.0.1:1/",
              "--json",
              "{}",
              "--queue",
              file.toString(),
              "--no-wait");
      return sent + Cli.run(session, "queue", "list", file.toString(), "--json");
    } finally {
      try (var files = Files.list(directory)) {
        for (Path it : files.toList()) {
          Files.delete(it);
        }
      }
      Files.delete(directory);
    }
  }

  private static void loadClasses() throws Exception {
    URL home = ArchiveTraining.class.getProtectionDomain().getCodeSource().getLocation();
    Path program = Path.of(home.toURI());
    if (!Files.isRegularFile(program)) {
      return; // Classes in directories cannot be archived.
    }
    try (JarFile jar = new JarFile(program.toFile())) {
      jar.stream()
          .map(it -> it.getName())
          .filter(it -> it.endsWith(".class") && PACKAGES.stream().anyMatch(it::startsWith))
          .forEach(it -> load(it.substring(0, it.length() - ".class".length()).replace('/', '.')));
    }
  }

  private static void load(String name) {
    try {
      var unused = Class.forName(name, false, ArchiveTraining.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // It needs an optional library, which is not in the program.
      return;
    }
  }
}
