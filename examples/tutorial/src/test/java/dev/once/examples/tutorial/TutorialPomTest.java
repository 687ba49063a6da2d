package dev.once.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The pom.xml of the page has the dependencies and versions that {@link TutorialTest} runs with.
 */
class TutorialPomTest {
  private static final Pattern DEPENDENCY = Pattern.compile("<dependency>((?s:.*?))</dependency>");
  private static final Pattern MANAGED =
      Pattern.compile("<dependencyManagement>(?s:.*?)</dependencyManagement>");

  private final String page = Objects.requireNonNull(TutorialPage.read().files().get("pom.xml"));

  TutorialPomTest() throws IOException {}

  @Test
  void hasDependenciesThatThisModuleHas() throws Exception {
    assertThat(dependencies(withoutManaged(page)))
        .isNotEmpty()
        .isSubsetOf(dependencies(withoutManaged(read("pom.xml"))));
  }

  @Test
  void hasModulesOfTheBomAndStartersOfSpringBoot() throws Exception {
    List<String> bom = all("<artifactId>(.*?)</artifactId>", read("../../once-bom/pom.xml"));

    for (String dependency : dependencies(withoutManaged(page))) {
      String artifact = first("<artifactId>(.*?)</artifactId>", dependency);
      switch (first("<groupId>(.*?)</groupId>", dependency)) {
        case "dev.once" -> assertThat(bom).contains(artifact);
        case "org.springframework.boot" -> assertThat(artifact).startsWith("spring-boot-starter-");
        default -> throw new AssertionError("a newcomer does not need " + dependency);
      }
    }
  }

  @Test
  void hasTheVersionsOfThisBuild() throws Exception {
    String parent = read("../../pom.xml");
    String boot = first("<spring-boot.version>(.*?)</spring-boot.version>", parent);
    String once = first("<version>(.*?)</version>", parent);

    assertThat(all("<version>(.*?)</version>", page)).containsExactly(boot, "1", once);
  }

  private static List<String> dependencies(String pom) {
    return DEPENDENCY.matcher(pom).results().map(it -> it.group(1).replaceAll("\\s", "")).toList();
  }

  private static String withoutManaged(String pom) {
    return MANAGED.matcher(pom).replaceAll("");
  }

  private static String first(String pattern, String text) {
    return all(pattern, text).get(0);
  }

  private static List<String> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(it -> it.group(1)).toList();
  }

  private static String read(String file) throws IOException {
    return Files.readString(Path.of(file));
  }
}
