package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Recovery;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * Plays random histories of claims, completions, releases, renewals, pauses and purges, by current
 * and former owners, with operators that reopen and expire in between, and compares every answer of
 * the store with a small sequential model. Extend it next to {@link RecordStoreContract}, with the
 * same two methods:
 *
 * <pre>{@code
 * class MyRecordHistoryProperties extends RecordHistoryProperties {
 *   private final TestClock clock = new TestClock();
 *   private final RecordStore store = new MyRecordStore(clock);
 *
 *   @Override public RecordStore store() { return store; }
 *   @Override public void elapse(Duration time) { clock.advance(time); }
 * }
 * }</pre>
 *
 * <p>A failure shows the shortest history that was found to fail, with both answers to each of its
 * steps, and the seed that repeats it. How many histories are played is {@code jqwik.tries.default}
 * in {@code junit-platform.properties}; a store behind a network may want fewer than 1000.
 */
public abstract class RecordHistoryProperties implements StoreUnderTest {
  private static final int KEYS = 3;
  private static final int MAX_STEPS = 40;

  /** Store and model give the same answers to one history. */
  @Property
  protected void answersEveryHistoryAsTheModelDoes(@ForAll("histories") List<HistoryStep> history) {
    HistoryPlayer model = new RecordModel(forgetsByItself());
    HistoryPlayer store = new StorePlayer(this);
    StringBuilder story = new StringBuilder();

    for (HistoryStep step : history) {
      String expected = step.takeWith(model);
      String actual = step.takeWith(store);
      story.append("\n  ").append(step).append("\n    -> ").append(actual);
      assertThat(actual).as("the last answer of%s", story).isEqualTo(expected);
    }
  }

  @Provide
  protected Arbitrary<List<HistoryStep>> histories() {
    return steps().list().ofMinSize(1).ofMaxSize(MAX_STEPS);
  }

  private static Arbitrary<HistoryStep> steps() {
    return Arbitraries.frequencyOf(
        Tuple.of(8, claims()),
        Tuple.of(3, completions()),
        Tuple.of(2, grants().map(HistoryStep.Release::new)),
        Tuple.of(2, Combinators.combine(grants(), leases(0)).as(HistoryStep.Renew::new)),
        Tuple.of(1, keys().map(HistoryStep.Reopen::new)),
        Tuple.of(1, keys().map(HistoryStep.Expire::new)),
        Tuple.of(5, Arbitraries.of(1, 5, 10, 30, 60, 240).map(HistoryStep.Elapse::new)),
        Tuple.of(1, Arbitraries.create(HistoryStep.Purge::new)),
        Tuple.of(3, keys().map(HistoryStep.Find::new)));
  }

  private static Arbitrary<HistoryStep> claims() {
    return Combinators.combine(
            keys(),
            Arbitraries.frequency(Tuple.of(5, 0), Tuple.of(1, 1)),
            Arbitraries.of(Recovery.class),
            leases(5),
            retentions(),
            Arbitraries.of(20, 1, 2),
            Arbitraries.frequency(Tuple.of(3, false), Tuple.of(1, true)))
        .as(HistoryStep.Claim::new);
  }

  private static Arbitrary<HistoryStep> completions() {
    Arbitrary<Integer> outcomes =
        Arbitraries.integers().between(0, StorePlayer.OUTCOMES.size() - 1);
    return Combinators.combine(grants(), outcomes, retentions()).as(HistoryStep.Complete::new);
  }

  private static Arbitrary<Integer> keys() {
    return Arbitraries.integers().between(0, KEYS - 1);
  }

  /** Mostly the newest grant, sometimes a much older one. */
  private static Arbitrary<Integer> grants() {
    return Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.just(0)), Tuple.of(2, Arbitraries.integers().between(1, 6)));
  }

  private static Arbitrary<Integer> leases(int shortest) {
    return Arbitraries.of(shortest, 10, 60);
  }

  /** Some shorter than a lease, some equal to one. */
  private static Arbitrary<Integer> retentions() {
    return Arbitraries.of(60, 240, 10, 1);
  }
}
