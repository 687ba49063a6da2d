package dev.once.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The project of the page. Its sources are compiled and its programs run with the class path of
 * this test, because a Maven inside a test would need a network.
 */
record ShopProject(Path directory) {
  private static final String LIBRARIES = System.getProperty("java.class.path");

  /** Writes and compiles the files of the page, given by their paths. */
  static ShopProject write(Path directory, Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(Objects.requireNonNull(path.getParent()));
      Files.writeString(path, file.getValue());
    }
    ShopProject project = new ShopProject(directory);
    project.compile("src/main/java", project.classes());
    project.compile("src/test/java", project.testClasses());
    return project;
  }

  /** Runs a program with the classes of the project; its output goes to {@code log}. */
  Process run(Path log, String mainClass, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classPath(), mainClass));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(Redirect.to(log.toFile()))
        .start();
  }

  Path testClasses() {
    return directory.resolve("target/test-classes");
  }

  private Path classes() {
    return directory.resolve("target/classes");
  }

  // As spring-boot-starter-parent does: for Java 17, with the names of parameters.
  private void compile(String sources, Path output) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--release", "17", "-parameters", "-proc:none"));
    arguments.addAll(List.of("-classpath", classPath(), "-d", output.toString()));
    try (Stream<Path> files = Files.walk(directory.resolve(sources))) {
      files.map(Path::toString).filter(it -> it.endsWith(".java")).forEach(arguments::add);
    }
    int exitCode =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(exitCode).as("exit code of javac for %s", sources).isZero();
  }

  private String classPath() {
    return Stream.of(testClasses(), classes(), directory.resolve("src/main/resources"), LIBRARIES)
        .map(Object::toString)
        .reduce((left, right) -> left + File.pathSeparator + right)
        .orElseThrow();
  }
}
