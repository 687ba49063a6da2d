package dev.once.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import dev.once.http.HttpOnce;
import dev.once.http.Refusal;
import dev.once.http.RefusalRule;
import dev.once.http.RefusedException;
import dev.once.json.CanonicalJson;
import dev.once.json.Fingerprinter;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each refusal has one page, and the page describes the answers of every contract. */
class ProblemsTest {
  private static final String PROBLEMS = "docs/reference/problems/";
  private static final Page INDEX = Repository.page(PROBLEMS + "README.md");

  /** The index, and the refusals that do not depend on a contract. */
  private static final Set<String> OTHER_PAGES =
      Set.of("README.md", "webhook.md", "claims.md", "gateway.md");

  /** The contracts of the examples, in their order. */
  private static final List<Contract> SHOWN =
      List.of(Contract.STRICT, Contract.MOBILE, Contract.STRIPE);

  /** The contracts with codes of their own, in the order of the index. */
  private static final List<Contract> SPELLED =
      List.of(Contract.PLANNING, Contract.MOBILE, Contract.STRIPE);

  private static final Pattern DETAIL = Pattern.compile("\"(?:detail|message)\": \"([^\"]*)\"");

  private static final Path PLANNING = Repository.ROOT.resolve("examples/planning/src");
  private static final String PROBLEM_CODE = "java/dev/once/examples/planning/ProblemCode.java";

  /** A constant of the example's enum: the status, then the code. */
  private static final Pattern CONSTANT =
      Pattern.compile("(?m)^  [A-Z_]+\\((\\d+), \"([a-z._]+)\"\\)");

  /** What a test of the example expects: the status, then the code. */
  private static final Pattern EXPECTED =
      Pattern.compile("expectProblem\\((\\d+), \"([a-z._]+)\"\\)");

  @Test
  void hasAPageForEveryRefusalAndARefusalForEveryPage() {
    Stream<String> pages =
        Repository.pages().stream()
            .map(Page::name)
            .filter(it -> it.startsWith(PROBLEMS))
            .map(it -> it.substring(PROBLEMS.length()))
            .filter(it -> !OTHER_PAGES.contains(it));

    assertThat(pages)
        .containsExactlyInAnyOrderElementsOf(refusals().map(ProblemsTest::file).toList());
  }

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void listsTheAnswersOfEveryContract(Refusal refusal) {
    List<List<String>> rows = new ArrayList<>();
    for (List<String> row : page(refusal).rows("Answers")) {
      for (String contract : row.get(0).split(", ", -1)) {
        rows.add(List.of(contract, row.get(1), row.get(2), row.get(3)));
      }
    }

    assertThat(rows)
        .containsExactlyInAnyOrderElementsOf(
            Contract.all().stream().map(it -> row(it, refusal)).toList());
  }

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void showsBodiesThatAreSent(Refusal refusal) {
    List<String> examples = page(refusal).blocksIn("json");

    assertThat(examples).hasSameSizeAs(SHOWN);
    for (int i = 0; i < SHOWN.size(); i++) {
      byte[] sent = body(SHOWN.get(i), refusal, detail(examples.get(i)));
      assertThat(canonical(examples.get(i).getBytes(UTF_8))).isEqualTo(canonical(sent));
    }
  }

  @Test
  void linksToEveryPageFromTheIndex() {
    assertThat(INDEX.rows("Codes"))
        .extracting(row -> row.subList(0, 2))
        .isEqualTo(refusals().map(it -> List.of(link(it), statuses(it))).toList());
    assertThat(INDEX.links()).contains("webhook.md", "claims.md");
  }

  @Test
  void listsTheCodesOfEveryContractInTheIndex() {
    assertThat(INDEX.rows("Other spellings"))
        .isEqualTo(refusals().map(ProblemsTest::spellings).toList());
    assertThat(Contract.all())
        .filteredOn(it -> !SPELLED.contains(it))
        .allSatisfy(it -> assertThat(codes(it)).isEqualTo(codes(Contract.STRICT)));
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

    assertThat(Repository.page(PROBLEMS + "webhook.md").rows("Answers"))
        .extracting(row -> row.subList(0, 3))
        .isEqualTo(expected);
  }

  @Test
  void listsEveryProblemOfTheClaimsApi() throws ReflectiveOperationException {
    List<List<String>> expected = new ArrayList<>();
    for (Object problem : Class.forName("dev.once.claims.Problem").getEnumConstants()) {
      expected.add(
          List.of(
              String.valueOf(field(problem, "code")),
              String.valueOf(field(problem, "status")),
              String.valueOf(field(problem, "title"))));
    }

    assertThat(Repository.page(PROBLEMS + "claims.md").rows("Answers"))
        .extracting(row -> List.of(codeIn(row.get(0)), row.get(1), row.get(2)))
        .isEqualTo(expected);
  }

  /** Returns the code in a cell, which may be a link to its page. */
  private static String codeIn(String cell) {
    return cell.split("`", -1)[1];
  }

  @Test
  void listsTheCodesOfThePlanningExample() {
    String enumeration = Repository.text(PLANNING.resolve("main").resolve(PROBLEM_CODE));

    assertThat(INDEX.rows("Codes of the planning example"))
        .extracting(row -> row.subList(0, 2))
        .isEqualTo(ownProblems(CONSTANT, enumeration).toList());
  }

  @Test
  void listsTheStatusesThatThePlanningExampleIsTestedFor() throws IOException {
    List<List<String>> byCode = INDEX.rows("Codes of the planning example");
    try (Stream<Path> tests = Files.walk(PLANNING.resolve("test"))) {
      assertThat(INDEX.rows("Codes by status"))
          .extracting(row -> row.subList(0, 2))
          .containsExactlyInAnyOrderElementsOf(
              tests
                  .filter(Files::isRegularFile)
                  .flatMap(it -> ownProblems(EXPECTED, Repository.text(it)))
                  .filter(it -> byCode.stream().noneMatch(row -> row.subList(0, 2).equals(it)))
                  .collect(toSet()));
    }
  }

  /** Returns the code and status of each match, without the codes that Once sends too. */
  private static Stream<List<String>> ownProblems(Pattern pattern, String source) {
    Set<String> ofOnce = Contract.all().stream().flatMap(it -> codes(it).stream()).collect(toSet());
    return pattern
        .matcher(source)
        .results()
        .filter(it -> !ofOnce.contains(it.group(2)))
        .map(it -> List.of("`" + it.group(2) + "`", it.group(1)));
  }

  private static @Nullable Object field(Object refusal, String name)
      throws ReflectiveOperationException {
    Field field = refusal.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(refusal);
  }

  private static Stream<Refusal> refusals() {
    return Stream.of(Refusal.values());
  }

  private static RefusalRule rule(Contract contract, Refusal refusal) {
    return Objects.requireNonNull(contract.refusals().get(refusal));
  }

  private static List<String> codes(Contract contract) {
    return refusals().map(it -> rule(contract, it).code()).toList();
  }

  private static String span(Contract contract, Refusal refusal) {
    return "`" + rule(contract, refusal).code() + "`";
  }

  private static String file(Refusal refusal) {
    return rule(Contract.STRICT, refusal).code() + ".md";
  }

  private static Page page(Refusal refusal) {
    return Repository.page(PROBLEMS + file(refusal));
  }

  private static String link(Refusal refusal) {
    return "[" + span(Contract.STRICT, refusal) + "](" + file(refusal) + ")";
  }

  private static List<String> row(Contract contract, Refusal refusal) {
    RefusalRule rule = rule(contract, refusal);
    return List.of(
        contract.name(), span(contract, refusal), String.valueOf(rule.status()), rule.title());
  }

  /** Returns the status of strict, and then those that differ from it. */
  private static String statuses(Refusal refusal) {
    int usual = rule(Contract.STRICT, refusal).status();
    return Contract.all().stream()
        .filter(it -> rule(it, refusal).status() != usual)
        .map(it -> ", `" + it.name() + "` " + rule(it, refusal).status())
        .collect(joining("", String.valueOf(usual), ""));
  }

  private static List<String> spellings(Refusal refusal) {
    return Stream.concat(
            Stream.of(link(refusal)), SPELLED.stream().map(contract -> span(contract, refusal)))
        .toList();
  }

  private static byte[] body(Contract contract, Refusal refusal, String detail) {
    Map<String, String> more =
        refusal == Refusal.VERSION_MISMATCH ? Map.of("current_revision", "\"3\"") : Map.of();
    return new HttpOnce(contract, Fingerprinter.sha256())
        .refuse(new RefusedException(refusal, detail, more))
        .bytes();
  }

  private static String detail(String example) {
    Matcher detail = DETAIL.matcher(example);
    assertThat(detail.find()).as(example).isTrue();
    return detail.group(1);
  }

  private static String canonical(byte[] json) {
    return new String(CanonicalJson.standard().bytes(json), UTF_8);
  }
}
