package dev.once.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * The libraries of senders, as npm has them, run by an installed Node. They are fetched into target
 * once, in the versions that the lock file pins. Without Node, npm or the packages, tests that need
 * them are aborted: recorded deliveries show the same.
 */
final class SenderLibraries {
  private static final Path SOURCES = Path.of("src/test/node");
  private static final Path HOME = Path.of("target/sender-libraries");
  private static final String LOCK = "package-lock.json";

  /** For the packages, and for a script. */
  private static final long PATIENCE_SECONDS = 60;

  private static Optional<String> problem = Optional.empty();
  private static boolean isReady;

  private SenderLibraries() {}

  /** Runs the script with an argument, and returns what it prints. */
  static synchronized String run(String argument, String input)
      throws IOException, InterruptedException {
    prepare();
    return execute(input, "node", "libraries.mjs", argument);
  }

  private static void prepare() throws IOException, InterruptedException {
    if (problem.isEmpty() && !isReady) {
      problem = missingProgram();
      if (problem.isEmpty()) {
        install();
        isReady = problem.isEmpty();
      }
    }
    if (problem.isPresent()) {
      throw new TestAbortedException(problem.get());
    }
  }

  private static Optional<String> missingProgram() {
    return List.of("node", "npm").stream()
        .filter(it -> !isOnPath(it))
        .findFirst()
        .map(it -> it + " is not installed");
  }

  private static boolean isOnPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return List.of(path.split(File.pathSeparator, -1)).stream()
        .anyMatch(it -> Files.isExecutable(Path.of(it).resolve(program)));
  }

  private static void install() throws IOException, InterruptedException {
    Files.createDirectories(HOME);
    Path installed = HOME.resolve("installed-lock.json");
    for (String file : List.of("package.json", LOCK, "libraries.mjs")) {
      Files.copy(SOURCES.resolve(file), HOME.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    if (Files.exists(installed) && Files.mismatch(installed, HOME.resolve(LOCK)) < 0) {
      return;
    }
    try {
      execute("", "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline");
      Files.copy(HOME.resolve(LOCK), installed, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) { // There is no network, for example.
      problem = Optional.of("the packages cannot be fetched: " + e.getMessage());
    }
  }

  private static String execute(String input, String... command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(HOME, "output", ".txt");
    Path errors = Files.createTempFile(HOME, "errors", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(HOME.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      try (var in = process.outputWriter(UTF_8)) {
        in.write(input);
      }
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(command[0] + " did not end within " + PATIENCE_SECONDS + " s");
      }
      if (process.exitValue() != 0) {
        throw new IOException(command[0] + " failed: " + Files.readString(errors));
      }
      return Files.readString(output);
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(output);
      Files.deleteIfExists(errors);
    }
  }
}
