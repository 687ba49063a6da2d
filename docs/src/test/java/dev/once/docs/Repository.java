package dev.once.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of this repository that the pages include or describe. */
final class Repository {
  static final Path ROOT = findRoot();

  private Repository() {}

  /** Every page that is checked: those at the root and all of docs. */
  static List<Page> pages() {
    Stream<Path> top = Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md").map(ROOT::resolve);
    return Stream.concat(top, pagesOfDocs().stream()).map(Page::read).toList();
  }

  static Page page(String path) {
    return Page.read(ROOT.resolve(path));
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The directories with modules in them. */
  static List<Path> modules() {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> examples = Files.list(ROOT.resolve("examples"))) {
      Stream<Path> entries = Stream.concat(top, examples);
      return entries.filter(it -> Files.exists(it.resolve("pom.xml"))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> pagesOfDocs() {
    Path docs = ROOT.resolve("docs");
    try (Stream<Path> files = Files.walk(docs)) {
      return files
          .filter(it -> it.toString().endsWith(".md"))
          .filter(
              it -> !it.startsWith(docs.resolve("target")) && !it.startsWith(docs.resolve("src")))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path findRoot() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("once-core"))) {
        return at;
      }
    }
    throw new IllegalStateException("run the tests of docs inside the repository of Once");
  }
}
