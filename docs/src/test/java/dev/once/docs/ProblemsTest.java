package dev.once.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import dev.once.http.HttpOnce;
import dev.once.http.Refusal;
import dev.once.http.RefusalRule;
import dev.once.http.RefusedException;
import dev.once.json.CanonicalJson;
import dev.once.json.Fingerprinter;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every code that a client can get has a page, every page a code, and what it says is true. */
class ProblemsTest {
  private static final Path PROBLEMS = Repository.ROOT.resolve("docs/reference/problems");

  /** The index, and what no contract of an API says. */
  private static final Set<String> APART = Set.of("README.md", "webhook.md");

  private static final Pattern DETAIL = Pattern.compile("\"(?:detail|message)\": \"(.*)\"");

  /** One way in which a contract refuses. */
  private record Answer(Contract contract, Refusal refusal, RefusalRule rule) {
    /** In lower case: not every file system tells {@code A.md} from {@code a.md}. */
    String page() {
      return rule.code().toLowerCase(Locale.ROOT) + ".md";
    }

    List<String> row() {
      return List.of(contract.name(), "`" + rule.code() + "`", "" + rule.status(), rule.title());
    }

    byte[] body(String detail) {
      Map<String, String> more =
          refusal == Refusal.VERSION_MISMATCH ? Map.of("current_revision", "\"3\"") : Map.of();
      return new HttpOnce(contract, Fingerprinter.sha256())
          .refuse(new RefusedException(refusal, detail, more))
          .bytes();
    }
  }

  @Test
  void hasAPageForEveryCodeAndACodeForEveryPage() {
    assertThat(pages().map(ProblemsTest::name))
        .containsExactlyInAnyOrderElementsOf(
            answers().map(Answer::page).collect(Collectors.toSet()));
  }

  @Test
  void listsEveryRefusalOfAWebhook() throws ReflectiveOperationException {
    Class<?> refusals = Class.forName("dev.once.inbox.RejectionReason");
    List<List<String>> expected = new ArrayList<>();
    for (Object refusal : refusals.getEnumConstants()) {
      expected.add(
          List.of(
              "`" + field(refusal, "code") + "`",
              String.valueOf(field(refusal, "status")),
              String.valueOf(field(refusal, "title"))));
    }

    assertThat(Repository.page("docs/reference/problems/webhook.md").rows("Answers"))
        .extracting(row -> row.subList(0, 3))
        .isEqualTo(expected);
  }

  private static @Nullable Object field(Object refusal, String name)
      throws ReflectiveOperationException {
    Field field = refusal.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(refusal);
  }

  @Test
  void linksToEveryPageFromTheIndex() {
    Page index = Repository.page("docs/reference/problems/README.md");

    assertThat(index.links()).containsAll(pages().map(ProblemsTest::name).toList());
  }

  @Test
  void saysWhichContractsAnswerSoWithWhichStatusAndTitle() {
    assertThat(pages())
        .allSatisfy(
            page ->
                assertThat(rows(page))
                    .isEqualTo(answersOf(page).map(Answer::row).collect(Collectors.toSet())));
  }

  @Test
  void showsBodiesThatAreSent() {
    assertThat(pages())
        .allSatisfy(
            page -> {
              assertThat(page.blocksIn("json")).isNotEmpty();
              assertThat(page.blocksIn("json"))
                  .allMatch(block -> answersOf(page).anyMatch(it -> isSent(it, block)));
            });
  }

  private static boolean isSent(Answer answer, String example) {
    Matcher detail = DETAIL.matcher(example);
    assertThat(detail.find()).isTrue();
    return canonical(answer.body(detail.group(1))).equals(canonical(example.getBytes(UTF_8)));
  }

  private static String canonical(byte[] json) {
    return new String(CanonicalJson.standard().bytes(json), UTF_8);
  }

  private static Set<List<String>> rows(Page page) {
    Set<List<String>> rows = new HashSet<>();
    for (List<String> row : page.rows("Answers")) {
      for (String contract : row.get(0).split(", ", -1)) {
        rows.add(List.of(contract, row.get(1), row.get(2), row.get(3)));
      }
    }
    return rows;
  }

  private static Stream<Answer> answers() {
    return Contract.all().stream()
        .flatMap(
            contract ->
                contract.refusals().entrySet().stream()
                    .map(it -> new Answer(contract, it.getKey(), it.getValue())));
  }

  private static Stream<Answer> answersOf(Page page) {
    return answers().filter(it -> it.page().equals(name(page)));
  }

  private static Stream<Page> pages() {
    return Repository.pages().stream()
        .filter(it -> it.path().startsWith(PROBLEMS) && !APART.contains(name(it)));
  }

  private static String name(Page page) {
    return String.valueOf(page.path().getFileName());
  }
}
