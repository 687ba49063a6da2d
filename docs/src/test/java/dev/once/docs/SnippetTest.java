package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.internal.GeneratedPage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Java on a page is a piece of a source file that is compiled and run. The line above the block
 * says which: {@code <!-- snippet: path/of/Source.java#name -->}. Python and JavaScript may be such
 * pieces too. With {@code -Dsnippets=write} this test changes the pages instead of failing.
 */
class SnippetTest {
  /** Has whole files, which TutorialTest in examples/tutorial takes from the page and runs. */
  private static final String TUTORIAL = "docs/guides/spring-boot-tutorial.md";

  private static final List<String> LANGUAGES = List.of("java", "python", "js");

  @Test
  void showsOnlyJavaThatATestRuns() throws IOException {
    List<String> problems = new ArrayList<>();
    for (Page page : Repository.pages()) {
      Page checked = GeneratedPage.isWritten() ? write(page) : page;
      for (Page.Block block : checked.blocks()) {
        boolean isChecked =
            block.language().equals("java")
                ? !page.name().equals(TUTORIAL)
                : snippetOf(checked, block).isPresent();
        if (isChecked) {
          problem(checked, block).ifPresent(problems::add);
        }
      }
    }

    assertThat(problems).as(String.join("\n\n", problems)).isEmpty();
  }

  @Test
  void everyCommentHasABlockBelow() {
    List<String> problems = new ArrayList<>();
    for (Page page : Repository.pages()) {
      List<String> lines = page.lines();
      for (int i = 0; i < lines.size(); i++) {
        if (Snippet.askedForBy(lines.get(i)).isPresent()
            && (i + 1 == lines.size() || !isStartOfBlock(lines.get(i + 1)))) {
          problems.add(page.name() + ", line " + (i + 2) + ": expected ```java and ``` here");
        }
      }
    }

    assertThat(problems).isEmpty();
  }

  private static boolean isStartOfBlock(String line) {
    return LANGUAGES.stream().anyMatch(it -> line.equals("```" + it));
  }

  private static Optional<String> problem(Page page, Page.Block block) {
    String place = page.name() + ", line " + block.first() + ": ";
    Optional<Snippet> snippet = snippetOf(page, block);
    if (snippet.isEmpty()) {
      return Optional.of(
          place
              + "put <!-- snippet: path/of/Source.java#name --> above this Java block, and its code"
              + " between \"// snippet: name\" and \"// end\" in that file");
    }
    List<String> source = snippet.get().lines();
    if (source.equals(block.lines())) {
      return Optional.empty();
    }
    return Optional.of(
        place
            + "this block differs from its source; run mvn verify -pl docs -am -Dsnippets=write\n"
            + "-- the page has\n"
            + String.join("\n", block.lines())
            + "\n-- "
            + snippet.get().file()
            + " has\n"
            + String.join("\n", source));
  }

  private static Optional<Snippet> snippetOf(Page page, Page.Block block) {
    int above = block.first() - 2;
    return above < 0 ? Optional.empty() : Snippet.askedForBy(page.lines().get(above));
  }

  private static Page write(Page page) throws IOException {
    List<String> lines = new ArrayList<>(page.lines());
    List<Page.Block> blocks = page.blocks();
    // From the last to the first, so that the positions of the others stay valid.
    for (int i = blocks.size() - 1; i >= 0; i--) {
      Page.Block block = blocks.get(i);
      Optional<Snippet> snippet = snippetOf(page, block);
      if (snippet.isPresent()) {
        List<String> old = lines.subList(block.first(), block.end());
        old.clear();
        old.addAll(snippet.get().lines());
      }
    }
    if (!lines.equals(page.lines())) {
      Files.writeString(page.path(), String.join("\n", lines) + "\n");
    }
    return new Page(page.path(), lines);
  }
}
