package dev.once.kafka;

import dev.once.events.Settlement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The records of a partition that are not committed, in the order of their offsets. */
final class PartitionOffsets {
  private final TreeMap<Long, PendingRecord> records = new TreeMap<>();

  /** A record that is not committed; without a settlement if it was no event. */
  private record PendingRecord(@Nullable CompletableFuture<Settlement> settlement, int bytes) {
    /** Returns whether the record need not be received again. */
    boolean isSettled() {
      return settlement == null
          || (settlement.isDone()
              && !settlement.isCompletedExceptionally()
              && settlement.join().isSettled());
    }

    Optional<Throwable> failure() {
      return settlement == null
              || !settlement.isCompletedExceptionally()
              || settlement.isCancelled()
          ? Optional.empty()
          : Optional.of(settlement.handle((none, cause) -> cause).join());
    }

    void cancel() {
      if (settlement != null) {
        settlement.cancel(false);
      }
    }
  }

  void add(long offset, int bytes, @Nullable CompletableFuture<Settlement> settlement) {
    records.put(offset, new PendingRecord(settlement, bytes));
  }

  /** Forgets the records from an offset on, which are received again. */
  void discardFrom(long offset) {
    records.tailMap(offset, true).clear();
  }

  /**
   * Removes the settled records before the first that is not, and returns the offset to commit.
   * Empty if there are none.
   */
  OptionalLong takeSettled() {
    OptionalLong next = OptionalLong.empty();
    while (!records.isEmpty() && records.firstEntry().getValue().isSettled()) {
      next = OptionalLong.of(records.pollFirstEntry().getKey() + 1);
    }
    return next;
  }

  int size() {
    return records.size();
  }

  long bytes() {
    return records.values().stream().mapToLong(PendingRecord::bytes).sum();
  }

  /** Withdraws the records whose effects have not started. */
  void cancel() {
    List.copyOf(records.values()).forEach(PendingRecord::cancel);
  }

  /** Returns the failure of a record that cannot be settled; empty if there is none. */
  Optional<Throwable> failure() {
    return records.values().stream().flatMap(it -> it.failure().stream()).findFirst();
  }
}
