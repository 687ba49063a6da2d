package dev.once.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Java of the image has the modules that the gateway and its libraries use. */
@Timeout(120)
@Tag("any-jdk")
class ModulesTest {
  /** Used where they are present, by code that does not run in the image. */
  private static final List<String> OPTIONAL =
      List.of(
          "java.desktop", // java.beans, by libraries for logs and JSON
          "jdk.jfr", // by the client of Redis
          "jdk.security.auth"); // by the PostgreSQL of the gateway's own

  @Test
  void hasTheModulesThatItsClassesUse() throws Exception {
    List<Path> jars = GatewayJars.classPath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/jdeps").toString());
    command.addAll(
        List.of("--print-module-deps", "--ignore-missing-deps", "--multi-release", "17"));
    jars.stream().map(Path::toString).forEach(command::add);

    String last = Tool.run(command).lines().reduce("", (before, line) -> line);
    List<String> needed = new ArrayList<>(List.of(last.split(",", -1)));
    needed.removeAll(OPTIONAL);

    assertThat(needed).contains("java.sql").isSubsetOf(JavaRuntime.MODULES);
  }
}
