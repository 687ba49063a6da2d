package dev.once.docs;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.internal.GeneratedPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What docs/internals/architecture.md says of modules, types and files is so. With {@code
 * -Dsnippets=write} this test draws the picture of the modules instead of failing.
 */
class ArchitectureTest {
  private static final Path PICTURE = Repository.ROOT.resolve("docs/internals/modules.svg");

  /** A word of two humps, or one in a code span or before a member. */
  private static final Pattern TYPE =
      Pattern.compile(
          "\\b(?:[A-Z][a-z]+){2,}\\b|\\b[A-Z][a-z]\\w+(?=[.]\\w)|(?<=`)[A-Z][a-z]\\w+(?=`)");

  private static final Pattern MEMBER = Pattern.compile("\\b([A-Z][a-z]\\w+)[.](?!java)(\\w+)");
  private static final Pattern RESOURCE = Pattern.compile("\\b\\w+[.](?:lua|sql)\\b");
  private static final Pattern SQL_NAME = Pattern.compile("\\bonce_\\w+");
  private static final Set<String> NAMES_OF_OTHERS =
      Set.of("OkHttp", "WebFlux", "ArchUnit", "AsyncContext", "JavaScript");

  private final Page page = Repository.page("docs/internals/architecture.md");
  private final String text = String.join("\n", page.lines());

  @Test
  void drawsTheModulesAsThePomsDeclareThem() throws IOException {
    GeneratedPage.check(PICTURE, ModulePicture.of(ModuleGraph.of(MavenModule.libraries())));
  }

  @Test
  void listsEveryModule() {
    assertThat(page.rows("Modules").stream().map(row -> row.get(0)).toList())
        .containsAll(
            Repository.modules().stream()
                .map(it -> it.getFileName().toString())
                .filter(it -> it.startsWith("once-"))
                .map(it -> "`" + it + "`")
                .toList());
  }

  @Test
  void namesTypesThatExist() {
    Set<String> types = files(".java").map(it -> nameOf(it).replace(".java", "")).collect(toSet());

    assertThat(TYPE.matcher(text).results().map(MatchResult::group))
        .isNotEmpty()
        .allMatch(it -> types.contains(it) || NAMES_OF_OTHERS.contains(it));
  }

  @Test
  void namesMembersThatExist() {
    Map<String, String> sources =
        files(".java").collect(toMap(ArchitectureTest::nameOf, Repository::text, String::concat));

    Stream<MatchResult> unknown =
        MEMBER
            .matcher(text)
            .results()
            .filter(it -> !NAMES_OF_OTHERS.contains(it.group(1)))
            .filter(it -> !hasWord(sources.getOrDefault(it.group(1) + ".java", ""), it.group(2)));

    assertThat(unknown.map(MatchResult::group)).isEmpty();
  }

  @Test
  void namesResourcesThatExist() {
    List<Path> resources = Stream.concat(files(".lua"), files(".sql")).toList();
    String sql = files(".sql").map(Repository::text).collect(joining());

    assertThat(RESOURCE.matcher(text).results().map(MatchResult::group))
        .isNotEmpty()
        .isSubsetOf(resources.stream().map(ArchitectureTest::nameOf).toList());
    assertThat(SQL_NAME.matcher(text).results().map(MatchResult::group))
        .isNotEmpty()
        .allMatch(it -> hasWord(sql, "(FUNCTION|TABLE) " + it));
  }

  private static boolean hasWord(String text, String pattern) {
    return Pattern.compile("\\b" + pattern + "\\b").matcher(text).find();
  }

  private static Stream<Path> files(String suffix) {
    return Stream.concat(
            Repository.modules().stream().map(it -> it.resolve("src")),
            Stream.of("examples", "clients").map(Repository.ROOT::resolve))
        .filter(Files::isDirectory)
        .flatMap(ArchitectureTest::walk)
        .filter(it -> nameOf(it).endsWith(suffix))
        .distinct();
  }

  private static Stream<Path> walk(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String nameOf(Path file) {
    return file.getFileName().toString();
  }
}
