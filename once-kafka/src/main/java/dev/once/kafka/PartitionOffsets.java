package dev.once.kafka;

import dev.once.events.Settlement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The records of a partition that are not committed, in the order of their offsets. */
final class PartitionOffsets {
  private final TreeMap<Long, PendingRecord> records = new TreeMap<>();
  private long bytes;

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
    PendingRecord before = records.put(offset, new PendingRecord(settlement, bytes));
    this.bytes += bytes - (before == null ? 0 : before.bytes());
  }

  /** Forgets the records from an offset on, which are received again. */
  void discardFrom(long offset) {
    Map<Long, PendingRecord> discarded = records.tailMap(offset, true);
    bytes -= discarded.values().stream().mapToLong(PendingRecord::bytes).sum();
    discarded.clear();
  }

  /** Returns the offset after the settled records before the first that is not; empty if none. */
  OptionalLong settled() {
    OptionalLong next = OptionalLong.empty();
    for (Map.Entry<Long, PendingRecord> record : records.entrySet()) {
      if (!record.getValue().isSettled()) {
        return next;
      }
      next = OptionalLong.of(record.getKey() + 1);
    }
    return next;
  }

  /** Removes the records before an offset, which is committed. */
  void committed(long next) {
    while (!records.isEmpty() && records.firstKey() < next) {
      bytes -= records.pollFirstEntry().getValue().bytes();
    }
  }

  int size() {
    return records.size();
  }

  long bytes() {
    return bytes;
  }

  /** Withdraws the records whose effects have not started. */
  void cancel() {
    List.copyOf(records.values()).forEach(PendingRecord::cancel);
  }

  /**
   * Returns the failure of a record that cannot be settled; empty if there is none. All pending
   * records fail together, so that the first that is not settled tells it.
   */
  Optional<Throwable> failure() {
    for (PendingRecord record : records.values()) {
      if (!record.isSettled()) {
        return record.failure();
      }
    }
    return Optional.empty();
  }
}
