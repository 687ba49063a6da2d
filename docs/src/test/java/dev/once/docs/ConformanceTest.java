package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/conformance.md lists every requirement once, and names only tests that exist. */
class ConformanceTest {
  private static final Pattern NAMED_TEST =
      Pattern.compile("`(dev\\.once\\.[a-z.]*[A-Z]\\w*)#(\\w+)`");
  private static final Pattern PLANNED = Pattern.compile("planned: [a-z]");
  private static final Pattern ANNOTATION =
      Pattern.compile("@(Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\\b.*");

  private static final Page PAGE = Repository.page("docs/conformance.md");

  private static final List<String> TRAPS =
      List.of(
          "look up, then lock, without reading again",
          "row vanishes between conflict and read",
          "take-over with another payload",
          "a paused owner's late complete, release and renew",
          "wait time-out that touches the owner's row",
          "store failure after the effect",
          "nested calls and two operations in parallel on one engine",
          "null, empty and zero-length results",
          "key text that collides (separator inside parts, case, whitespace, Unicode)",
          "aborted transaction after a duplicate key",
          "REPEATABLE READ caller",
          "lease equal to retention",
          "a response larger than the limit",
          "clock of the caller an hour off");

  @Test
  void listsEveryRequirementOnceAndInOrder() {
    List<String> ids =
        Stream.of(ids("A", 30), ids("B", 12), ids("C", 15), ids("D", 17), ids("E", 10))
            .flatMap(it -> it)
            .toList();

    assertThat(PAGE.rows("Requirements")).extracting(row -> row.get(0)).isEqualTo(ids);
  }

  @Test
  void saysOfEveryRequirementWhatShowsItOrWhatWillBringIt() {
    List<String> bare =
        PAGE.rows("Requirements").stream()
            .filter(row -> !NAMED_TEST.matcher(row.get(2)).find())
            .filter(row -> !PLANNED.matcher(row.get(3)).find())
            .map(row -> row.get(0))
            .toList();

    assertThat(bare).as("requirements with neither a test nor a plan").isEmpty();
  }

  @Test
  void namesATestForEachOfTheTwelvePromises() {
    List<List<String>> rows = PAGE.rows("Promises");

    assertThat(rows).extracting(row -> row.get(0)).isEqualTo(ids("", 12).toList());
    assertThat(rows).allMatch(row -> NAMED_TEST.matcher(row.get(2)).find());
  }

  @Test
  void namesATestForEachTrap() {
    List<List<String>> rows = PAGE.rows("Traps");

    assertThat(rows).extracting(row -> row.get(0)).isEqualTo(TRAPS);
    assertThat(rows).allMatch(row -> NAMED_TEST.matcher(row.get(1)).find());
  }

  @Test
  void namesOnlyTestsThatExist() {
    List<String> missing =
        PAGE.lines().stream()
            .flatMap(line -> NAMED_TEST.matcher(line).results())
            .filter(it -> !isTest(it.group(1), it.group(2)))
            .map(it -> it.group(1) + "#" + it.group(2))
            .toList();

    assertThat(missing).as("tests that are named but not in the source tree").isEmpty();
  }

  private static Stream<String> ids(String letter, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> letter + i);
  }

  private static boolean isTest(String type, String method) {
    String file = type.replace('.', '/') + ".java";
    return Repository.modules().stream()
        .flatMap(it -> Stream.of(it.resolve("src/main/java"), it.resolve("src/test/java")))
        .map(it -> it.resolve(file))
        .filter(Files::exists)
        .anyMatch(it -> hasTest(it, method));
  }

  /** Contracts are in main sources, so the annotation identifies a test, not the directory. */
  private static boolean hasTest(Path source, String method) {
    Pattern declaration =
        Pattern.compile(
            "\\s+((public|protected|default|static) )*\\w[\\w<>?, ]* " + method + "\\(.*");
    List<String> lines = Repository.text(source).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (declaration.matcher(lines.get(i)).matches() && isAnnotated(lines, i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAnnotated(List<String> lines, int declaration) {
    for (int i = declaration - 1; i >= 0 && !lines.get(i).isBlank(); i--) {
      if (ANNOTATION.matcher(lines.get(i).strip()).matches()) {
        return true;
      }
    }
    return false;
  }
}
