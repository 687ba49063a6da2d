package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Links inside the repository have a target. External links are not followed. */
class LinksTest {
  @Test
  void leadsToFilesAndHeadingsThatExist() {
    List<String> broken = new ArrayList<>();
    for (Page page : Repository.pages()) {
      for (String link : page.links()) {
        if (!link.matches("[a-z]+:.*") && !leadsSomewhere(page, link)) {
          broken.add(page.name() + " links to " + link);
        }
      }
    }

    assertThat(broken).isEmpty();
  }

  @Test
  void listsEveryPageInTheIndex() {
    Page index = Repository.page("docs/README.md");
    List<String> missing =
        Repository.pages().stream()
            .map(Page::path)
            .filter(it -> it.startsWith(Repository.ROOT.resolve("docs")))
            .filter(it -> !it.equals(index.path()) && !hasAnIndexOfItsOwn(it))
            .map(it -> Repository.ROOT.resolve("docs").relativize(it).toString())
            .filter(it -> !index.links().contains(it))
            .toList();

    assertThat(missing).as("pages that docs/README.md does not link to").isEmpty();
  }

  private static boolean hasAnIndexOfItsOwn(Path page) {
    return page.toString().matches(".*/(decisions|problems)/(?!README).*");
  }

  private static boolean leadsSomewhere(Page page, String link) {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path here = page.path();
    Path target = file.isEmpty() ? here : here.resolveSibling(file).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return hash < 0
        || (target.toString().endsWith(".md")
            && Page.read(target).anchors().contains(link.substring(hash + 1)));
  }
}
