package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import dev.once.http.Refusal;
import dev.once.http.RefusalRule;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/reference/contracts.md says what the contracts say, and its example builds. */
class ContractsTest {
  private static final Page PAGE = Repository.page("docs/reference/contracts.md");

  @Test
  void listsTheSixTwice() {
    List<String> names = Contract.all().stream().map(it -> "`" + it.name() + "`").toList();

    assertThat(PAGE.rows("The six").stream().map(row -> row.get(0)))
        .isEqualTo(Stream.concat(names.stream(), names.stream()).toList());
  }

  @Test
  void listsEverySetting() {
    assertThat(PAGE.rows("Settings").stream().map(row -> row.get(0)))
        .isEqualTo(
            Stream.of(Contract.class.getDeclaredFields())
                .filter(it -> !Modifier.isStatic(it.getModifiers()))
                .map(Field::getName)
                .map(it -> "`" + it + "`")
                .toList());
  }

  @Test
  void saysHowDuplicatesAreAnswered() {
    for (List<String> row : PAGE.rows("The six").subList(6, 12)) {
      Contract contract = contract(row);

      assertThat(row.get(1)).startsWith("" + rule(contract, Refusal.IN_FLIGHT).status());
      assertThat(row.get(2)).isEqualTo("" + rule(contract, Refusal.PAYLOAD_MISMATCH).status());
      assertThat(row.get(3)).contains(contract.replayHeaders().replayed());
      assertThat(row.get(4).startsWith("required")).isEqualTo(contract.ifMatch().required());
      assertThat(row.get(4).contains("`*` refused"))
          .isNotEqualTo(contract.ifMatch().wildcardAllowed());
      assertThat(row.get(4).contains("`if_match`"))
          .isEqualTo(contract.ifMatch().parameterAllowed());
    }
  }

  @Test
  void saysWhichKeysAreAccepted() {
    for (List<String> row : PAGE.rows("The six").subList(0, 6)) {
      Contract contract = contract(row);

      assertThat(row.get(2)).matches("UUID v4|.* 1 to " + contract.key().maxChars());
      assertThat(row.get(3).startsWith("on")).isEqualTo(contract.coverage().required());
      assertThat(row.get(3).endsWith("chosen routes"))
          .isNotEqualTo(contract.coverage().everyRoute());
    }
  }

  @Test
  void saysWhatIsKept() {
    for (List<String> row : PAGE.rows("What is kept, and for how long")) {
      Contract contract = contract(row);
      List<Integer> kept =
          IntStream.range(100, 1000).filter(contract.keptStatuses()::contains).boxed().toList();

      assertThat(statuses(row.get(1))).as(contract.name()).isEqualTo(kept);
      assertThat(hours(row.get(2))).isEqualTo(contract.terms().retention());
      assertThat(hours(row.get(3))).isEqualTo(contract.terms().failedRetention());
    }
  }

  @Test
  void namesEveryKeptHeader() {
    String page = String.join("\n", PAGE.lines()).toLowerCase(Locale.ROOT);

    assertThat(Contract.all())
        .allSatisfy(
            it -> assertThat(it.keptHeaders()).allMatch(name -> page.contains("`" + name + "`")));
  }

  @Test
  void derivesAContract() {
    // snippet: derive
    Contract ours =
        Contract.STRICT.toBuilder()
            .name("ours")
            .maxWait(Duration.ofSeconds(5))
            .refusal(Refusal.RATE_LIMITED, RefusalRule.of(429, "slow.down", "Too many requests"))
            .problems(URI.create("https://acme.example/problems/"))
            .build();
    // end
    assertThat(ours.terms().maxWait()).isEqualTo(Duration.ofSeconds(5));
    assertThat(ours.key()).isEqualTo(Contract.STRICT.key());
    assertThat(rule(ours, Refusal.RATE_LIMITED).code()).isEqualTo("slow.down");
  }

  private static Contract contract(List<String> row) {
    return Contract.named(row.get(0).replace("`", ""));
  }

  private static RefusalRule rule(Contract contract, Refusal refusal) {
    return Objects.requireNonNull(contract.refusals().get(refusal));
  }

  private static List<Integer> statuses(String cell) {
    String[] words = cell.split(" but ", 2);
    TreeSet<Integer> statuses = new TreeSet<>();
    all(words[0]).forEach(statuses::add);
    if (words.length > 1) {
      all(words[1]).forEach(statuses::remove);
    }
    return List.copyOf(statuses);
  }

  private static Stream<Integer> all(String words) {
    return Stream.of(words.split(" ", -1))
        .flatMap(
            it ->
                it.endsWith("xx")
                    ? IntStream.range(0, 100)
                        .mapToObj(i -> 100 * Integer.parseInt(it.substring(0, 1)) + i)
                    : Stream.of(Integer.parseInt(it)));
  }

  private static Duration hours(String cell) {
    return Duration.ofHours(Long.parseLong(cell.replace(" h", "")));
  }
}
