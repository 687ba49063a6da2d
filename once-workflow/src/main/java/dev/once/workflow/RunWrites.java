package dev.once.workflow;

import dev.once.jdbc.internal.Batcher;
import dev.once.jdbc.internal.StoreThreads;
import dev.once.jdbc.internal.TransactionRunner;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes what activations write most: entries of histories, and the ends of runs. Concurrent calls
 * of several runs share statements and commits. What a shared statement leaves out, because another
 * transaction has locked the run for example, its caller writes alone. Thread-safe.
 */
final class RunWrites {
  private static final String RECORDING = "recording an entry";
  private static final String ENDING = "ending a run";

  /** A larger value is written in a statement of its own, so that shared ones stay short. */
  private static final int MAX_SHARED_BYTES = 64 << 10;

  private final TransactionRunner transactions;
  private final Batcher<RunEntry, Optional<Ownership>> entries;
  private final Batcher<CompletedRun, Boolean> ends;

  /** An entry of a run's history. */
  record RunEntry(BegunRun run, EntryWrite entry) {}

  /** A run without a parent that has ended with a value. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record CompletedRun(BegunRun run, byte @Nullable [] value) {
    int bytes() {
      return value == null ? 0 : value.length;
    }
  }

  RunWrites(DataSource dataSource) {
    StoreThreads threads = StoreThreads.of(dataSource, StoreThreads.DEFAULT_TIMEOUT);
    this.transactions = new TransactionRunner(dataSource, StoreThreads.DEFAULT_TIMEOUT);
    this.entries =
        new Batcher<>(
            threads, it -> Optional.of(record(it)), this::recordAll, it -> it.entry().bytes());
    this.ends = new Batcher<>(threads, this::complete, this::completeAll, CompletedRun::bytes);
  }

  Ownership record(BegunRun run, EntryWrite entry) {
    RunEntry item = new RunEntry(run, entry);
    return entry.isIndependent() && entry.bytes() <= MAX_SHARED_BYTES
        ? entries.submit(item).orElseGet(() -> record(item))
        : record(item);
  }

  private Ownership record(RunEntry it) {
    return transactions.run(
        RECORDING, connection -> RecordStatement.execute(connection, it.run(), it.entry()));
  }

  private List<Supplier<Optional<Ownership>>> recordAll(List<RunEntry> items) {
    return transactions.run(RECORDING, it -> RecordAllStatement.execute(it, items)).stream()
        .<Supplier<Optional<Ownership>>>map(it -> () -> it)
        .toList();
  }

  /** Ends a run. If another activation owns it, there is nothing to write. */
  void complete(BegunRun run, byte @Nullable [] value) {
    CompletedRun item = new CompletedRun(run, value);
    if (item.bytes() > MAX_SHARED_BYTES || !ends.submit(item)) {
      boolean unused = complete(item);
    }
  }

  /** Returns true: nothing is left to do. */
  private boolean complete(CompletedRun it) {
    var unused =
        transactions.run(
            ENDING,
            connection ->
                EndStatement.execute(connection, it.run(), RunState.COMPLETED, it.value(), null));
    return true;
  }

  private List<Supplier<Boolean>> completeAll(List<CompletedRun> items) {
    Set<Integer> ended = transactions.run(ENDING, it -> CompleteAllStatement.execute(it, items));
    return IntStream.range(0, items.size())
        .<Supplier<Boolean>>mapToObj(i -> () -> ended.contains(i))
        .toList();
  }
}
