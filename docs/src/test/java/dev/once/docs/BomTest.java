package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Node;

/** once-bom has every module that users depend on, and no other artifact. */
class BomTest {
  private static final Pom BOM = Pom.read(Repository.ROOT.resolve("once-bom"));

  @Test
  void listsExactlyThePublishedModules() {
    List<String> published = Pom.libraries().stream().map(it -> it.text("artifactId")).toList();

    assertThat(managed("artifactId")).containsExactlyInAnyOrderElementsOf(published).isSorted();
  }

  @Test
  void hasOneVersionForAll() {
    assertThat(managed("groupId")).containsOnly("dev.once");
    assertThat(managed("version")).containsOnly("${project.version}");
  }

  @Test
  void inheritsNoVersionsFromAParent() {
    assertThat(BOM.find("parent")).isEmpty();
  }

  private static List<String> managed(String element) {
    return BOM.find("dependencyManagement", "dependencies", "dependency", element)
        .map(Node::getTextContent)
        .toList();
  }
}
