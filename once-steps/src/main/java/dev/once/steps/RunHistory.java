package dev.once.steps;

import dev.once.StoreException;
import dev.once.json.Fingerprinter;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordIndex;
import dev.once.spi.RecordQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Shows the steps of runs. Reading changes nothing. Thread-safe. */
public final class RunHistory {
  /** How many steps of a run are shown. */
  public static final int MAX_STEPS = 10_000;

  private static final Comparator<RecordEntry> BY_START =
      Comparator.comparing(RecordEntry::createdAt).thenComparing(it -> it.key().value());

  private final RecordIndex index;

  private RunHistory(RecordIndex index) {
    this.index = index;
  }

  /** Returns the history in {@code index}, the store of the engine that runs the steps. */
  public static RunHistory over(RecordIndex index) {
    return new RunHistory(index);
  }

  /**
   * Returns the steps of {@code run} that have not expired, in the order in which they started; of
   * a run with more than {@link #MAX_STEPS}, that many.
   *
   * @throws StoreException if the store did not answer
   */
  public List<StepView> steps(RunId run) {
    List<RecordEntry> entries = entries(RecordQuery.of(run.tenant(), run.scope()));
    entries.sort(BY_START);
    Set<String> seen = new HashSet<>();
    return entries.stream().map(it -> view(it, seen)).toList();
  }

  private List<RecordEntry> entries(RecordQuery first) {
    List<RecordEntry> entries = new ArrayList<>();
    List<RecordEntry> page = index.list(first);
    while (!page.isEmpty() && entries.size() < MAX_STEPS) {
      entries.addAll(page);
      page =
          page.size() < first.limit()
              ? List.of()
              : index.list(first.after(page.get(page.size() - 1)));
    }
    return entries;
  }

  private static StepView view(RecordEntry entry, Set<String> seen) {
    StepKey key = StepKey.parse(entry.key().value());
    return new StepView(
        key.name(),
        key.inputHash(),
        Fingerprinter.leavesOutTimes(entry.fingerprint()) ? Inputs.VOLATILE : List.of(),
        !seen.add(key.name()),
        entry.state(),
        entry.attempts(),
        entry.createdAt(),
        entry.expiresAt());
  }
}
