package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Poms, pages, deployments and scripts name the version of the root pom, or none. */
class VersionTest {
  private static final String VERSION = Pom.read(Repository.ROOT).version();

  /** A version after the name of one of our artifacts: in XML, or in the name of a file. */
  private static final Pattern NAMED =
      Pattern.compile(
          "(?:dev\\.once</groupId>\\s*<artifactId>[^<]*</artifactId>\\s*<version>"
              + "|\\bonce-[a-z-]+-(?=\\d))([^<\\s]+?)(?=<|\\.jar|\\.pom)");

  private static final Pattern IMAGE = Pattern.compile("image: once-gateway:(\\S+)");

  @Test
  void isTheSameInEveryPom() {
    assertThat(Pom.modules())
        .allSatisfy(
            pom -> assertThat(pom.version()).as("version in %s", pom.file()).isEqualTo(VERSION));
  }

  @Test
  void isTheSameOnEveryPage() {
    for (Page page : Repository.pages()) {
      assertThat(named(String.join("\n", page.lines())))
          .as("versions of Once in %s", page.name())
          .allMatch(VERSION::equals);
    }
  }

  @Test
  void isThatOfTheImageInDeployments() {
    for (String file : List.of("deploy/compose.yaml", "deploy/kubernetes/deployment.yaml")) {
      assertThat(IMAGE.matcher(Repository.text(Repository.ROOT.resolve(file))).results())
          .as("images of Once in %s", file)
          .extracting(it -> it.group(1))
          .containsExactly(VERSION);
    }
  }

  @Test
  void isNotWrittenIntoScripts() {
    for (String script : List.of("once", ".ci/run")) {
      assertThat(named(Repository.text(Repository.ROOT.resolve(script)))).as(script).isEmpty();
    }
  }

  @Test
  void isOnTopOfTheChangelog() {
    String released = VERSION.replace("-SNAPSHOT", "");

    assertThat(Repository.page("CHANGELOG.md").lines().stream().filter(it -> it.startsWith("## ")))
        .first()
        .asString()
        .startsWith("## " + released + " ");
  }

  private static List<String> named(String text) {
    return NAMED.matcher(text).results().map(it -> it.group(1)).toList();
  }
}
