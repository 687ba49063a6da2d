package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The script {@code once}, in a temporary tree, with a Maven and a JDK that only print their
 * arguments. The JDK is newer than any that this machine can have.
 */
@Timeout(60)
class OnceScriptTest {
  private static final List<String> MODULES =
      List.of(
          "once-bom",
          "once-core",
          "once-embedded",
          "once-json",
          "once-client",
          "once-jdbc",
          "once-jobs",
          "once-steps",
          "once-inbox",
          "once-inbox-servlet",
          "once-payments",
          "once-http",
          "once-servlet",
          "once-events",
          "once-kafka",
          "once-s3",
          "once-opensearch",
          "once-effects",
          "once-cache",
          "once-redis",
          "once-claims",
          "once-console",
          "once-gateway",
          "once-testkit",
          "once-spring-boot-starter",
          "examples/planning",
          "examples/payments",
          "examples/pipeline",
          "examples/offline",
          "once-bench");

  private static final String POM =
      """
      <project>
        <artifactId>once-parent</artifactId>
        <version>0.1.0</version>
        <properties>
          <version>0.2.0</version>
      """;

  private static final String TOOLS =
      "cat cksum cp dirname find grep head ls mkdir mv rm sed sort tail tee tr xargs";

  private static final String MAVEN =
      """
      echo '[INFO] Building once-core 0.1.0 [1/2]'
      for example in planning payments pipeline offline; do
        mkdir -p examples/$example/target
        echo jar > examples/$example/target/$example-0.1.0.jar
        echo old > examples/$example/target/$example-0.0.9.jar
      done
      mkdir -p examples/pipeline/target/pipeline-lib
      echo used > examples/pipeline/target/pipeline-lib/used.jar
      mkdir -p once-bench/target
      echo thin > once-bench/target/once-bench-0.1.0.jar
      echo jar > once-bench/target/once-bench.jar
      """;

  @TempDir Path root;

  @BeforeEach
  void layOutATree() throws IOException {
    Files.copy(Path.of("../../once"), root.resolve("once"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(root.resolve("pom.xml"), POM);
    for (String module : MODULES) {
      Files.createDirectories(root.resolve(module).resolve("src/main/java"));
      Files.createFile(root.resolve(module).resolve("pom.xml"));
    }
    jdk("999.0.1", "java", "javac");
    program(root.resolve("bin/mvn"), MAVEN);
  }

  @Test
  void buildsAndStartsTheDemo() throws Exception {
    Said said = once("demo", "--port", "8081", "--contract", "a b");

    assertThat(said.exitCode).isZero();
    assertThat(said.out)
        .contains("  once-core [1/2]\n")
        .contains("999.0.1 runs -Donce.folder=" + folder() + " -jar " + folder() + "/planning.jar ")
        .endsWith(" demo --port 8081 --contract a b\n");
    assertThat(Path.of(folder(), "planning.jar")).hasContent("jar");
  }

  @Test
  void buildsAndStartsTheOtherDemo() throws Exception {
    Said said = once("demo", "payments", "--orders", "60");

    assertThat(said.exitCode).isZero();
    assertThat(said.out)
        .contains(" -jar " + folder() + "/payments.jar ")
        .endsWith(" demo --orders 60\n");
    assertThat(once("demo", "payments").out).doesNotContain("building");
    assertThat(once("demo").out).contains("building").contains("/planning.jar ");
  }

  @Test
  void buildsAndStartsTheDemoOfManyJars() throws Exception {
    Files.createDirectories(Path.of(folder(), "pipeline-lib"));
    Path earlier = Files.createFile(Path.of(folder(), "pipeline-lib", "earlier.jar"));

    Said said = once("demo", "pipeline", "--events", "60");

    assertThat(said.exitCode).isZero();
    assertThat(said.out)
        .contains(" -jar " + folder() + "/pipeline.jar ")
        .endsWith(" demo --events 60\n");
    assertThat(Path.of(folder(), "pipeline-lib", "used.jar")).hasContent("used");
    assertThat(earlier).doesNotExist();
    assertThat(once("demo", "pipeline").out).doesNotContain("building");
  }

  @Test
  void buildsAndStartsTheBenchmarks() throws Exception {
    Said said = once("bench", "load", "--quick");

    assertThat(said.exitCode).isZero();
    assertThat(said.out)
        .contains("building")
        .contains(" -Donce.root=" + root.toRealPath() + " ")
        .endsWith(" -jar " + folder() + "/once-bench.jar load --quick\n");
    assertThat(Path.of(folder(), "once-bench.jar")).hasContent("jar");
    assertThat(once("bench").out).doesNotContain("building");
  }

  @Test
  void buildsNothingUntilASourceChanges() throws Exception {
    once("demo");
    assertThat(once("demo").out).doesNotContain("building");

    Files.writeString(root.resolve("once-core/src/main/java/New.java"), "class New {}");
    assertThat(once("demo").out).contains("building");
    assertThat(once("demo").out).doesNotContain("building");
  }

  @Test
  void buildsAgainAfterABuildThatFailed() throws Exception {
    program(root.resolve("bin/mvn"), "echo '[ERROR] no such symbol'; exit 1");
    Said failed = once("demo");
    assertThat(failed.exitCode).isEqualTo(1);
    assertThat(failed.err).contains("no such symbol").contains(folder() + "/build.log");

    program(root.resolve("bin/mvn"), MAVEN);
    assertThat(once("demo").exitCode).isZero();
  }

  @Test
  void takesTheNewestJdkThatCanCompile() throws Exception {
    jdk("1000", "java");
    jdk("999.0.12", "java", "javac");
    jdk("1.8.0", "java", "javac");

    assertThat(once("demo").out).contains("999.0.12 runs");
  }

  @Test
  void saysThatMavenIsMissing() throws Exception {
    Files.delete(root.resolve("bin/mvn"));
    for (String tool : TOOLS.split(" ", -1)) {
      program(root.resolve("bin").resolve(tool), "PATH=/usr/bin:/bin exec " + tool + " \"$@\"");
    }

    Said said = run(root.resolve("bin").toString(), "demo");

    assertThat(said.exitCode).isEqualTo(1);
    assertThat(said.err).hasLineCount(1).contains("Maven is needed to build");
  }

  @Test
  void saysThatItsFolderCannotBeWritten() throws Exception {
    Files.createFile(root.resolve(".once"));

    Said said = once("demo");

    assertThat(said.exitCode).isEqualTo(1);
    assertThat(said.err).hasLineCount(1).startsWith("once: cannot write to " + folder());
  }

  @Test
  void explainsItselfWithoutBuilding() throws Exception {
    String help = once("demo", "--help").out;

    assertThat(new CommandLine(new Demo()).getCommandSpec().options())
        .hasSizeGreaterThan(5)
        .allSatisfy(option -> assertThat(help).contains("  " + option.longestName() + " "));
    assertThat(once("--help").exitCode).isZero();
    assertThat(once().exitCode).isEqualTo(2);
    assertThat(once("dmeo").err).startsWith("once: there is no command dmeo\n");
    assertThat(root.resolve(".once")).doesNotExist();
  }

  /** The script's output and exit code. */
  private record Said(int exitCode, String out, String err) {}

  private Said once(String... arguments) throws Exception {
    return run(root.resolve("bin") + ":/usr/bin:/bin", arguments);
  }

  private Said run(String path, String... arguments) throws Exception {
    List<String> command =
        Stream.concat(Stream.of("bash", root.resolve("once").toString()), Stream.of(arguments))
            .toList();
    Path err = root.resolve("err");
    var builder = new ProcessBuilder(command).redirectError(err.toFile());
    builder.environment().remove("JAVA_HOME");
    builder.environment().put("HOME", root.resolve("home").toString());
    builder.environment().put("PATH", path);
    Process script = builder.start();
    String out = script.inputReader().lines().map(it -> it + "\n").collect(Collectors.joining());
    return new Said(script.waitFor(), out, Files.readString(err));
  }

  private String folder() throws IOException {
    return root.toRealPath().resolve(".once").toString();
  }

  private void jdk(String version, String... programs) throws IOException {
    Path home = root.resolve("home/.jdks/jdk-" + version);
    for (String name : programs) {
      program(home.resolve("bin").resolve(name), "echo " + version + " runs \"$@\"");
    }
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
  }

  private static void program(Path file, String script) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
