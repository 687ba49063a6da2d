package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTest {
  private static final Key KEY = new Key("acme", "payments", "p-1");
  private static final Result<String> EXECUTED = new Result.Executed<>(KEY, "a");
  private static final Result<String> REPLAYED = new Result.Replayed<>(KEY, "a", Headers.NONE);
  private static final Result<String> HELD = new Result.Held<>(KEY, Duration.ofSeconds(3));
  private static final Result<String> MISMATCHED = new Result.Mismatched<>(KEY);
  private static final Result<String> UNCERTAIN = new Result.Uncertain<>(KEY);
  private static final Result<String> DROPPED = new Result.Dropped<>(KEY, 12);

  @Test
  void foldsEachCaseIntoItsOwnBranch() {
    List<Result<String>> all = List.of(EXECUTED, REPLAYED, HELD, MISMATCHED, UNCERTAIN, DROPPED);

    assertThat(all)
        .extracting(ResultTest::branchOf)
        .containsExactly("executed", "replayed", "held", "mismatched", "uncertain", "dropped");
  }

  @Test
  void foldsIntoTheCasesOfMostCallers() {
    List<Result<String>> all = List.of(EXECUTED, REPLAYED, HELD, MISMATCHED, UNCERTAIN, DROPPED);

    assertThat(all)
        .extracting(
            result ->
                result.<String>fold(
                    it -> it.value(), it -> "held", e -> e.result().getClass().getSimpleName()))
        .containsExactly("a", "a", "held", "Mismatched", "Uncertain", "Dropped");
  }

  @Test
  void givesItsValueForAnyExecutor() {
    assertThat(EXECUTED.orThrow()).isEqualTo("a");
    assertThat(REPLAYED.orThrow()).isEqualTo("a");
  }

  @Test
  void saysWhyThereIsNoAnswerAndWhatToDo() {
    refuses(HELD, KEY + " is held by another call; retry within PT3S");
    refuses(MISMATCHED, KEY + " was first used for a different request; use a new key");
    refuses(UNCERTAIN, KEY + " may have happened; reconcile it before any retry");
    refuses(DROPPED, KEY + " happened, but its answer of 12 bytes was not kept");
  }

  private static String branchOf(Result<String> result) {
    return result.fold(
        it -> "executed",
        it -> "replayed",
        it -> "held",
        it -> "mismatched",
        it -> "uncertain",
        it -> "dropped");
  }

  private static void refuses(Result<String> result, String message) {
    assertThatExceptionOfType(NoAnswerException.class)
        .isThrownBy(result::orThrow)
        .withMessage(message)
        .satisfies(it -> assertThat(it.result()).isSameAs(result));
  }
}
