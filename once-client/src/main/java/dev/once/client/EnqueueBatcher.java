package dev.once.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Stores the operations of concurrent callers in one transaction, so that they share its flush. A
 * call is executed immediately if no batch is; otherwise it joins the next one, which one of its
 * callers executes. Thread-safe.
 */
final class EnqueueBatcher {
  private static final int MAX_ITEMS = 64;
  private static final int MAX_BYTES = 4 << 20;

  private final SqliteFile file;
  private final OperationInserts inserts;
  private final EncodedOperation.Encoder encoder;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Item> waiting = new ArrayDeque<>();
  private boolean isExecuting;

  EnqueueBatcher(SqliteFile file, OperationInserts inserts, EncodedOperation.Encoder encoder) {
    this.file = file;
    this.inserts = inserts;
    this.encoder = encoder;
  }

  /** A caller's call. Its fields are guarded by the lock, or by the caller that executes it. */
  private static final class Item {
    private final EncodedOperation encoded;
    private final boolean allowsDuplicate;
    private final Condition turn;
    private boolean isDone;
    private boolean isLeader;
    private boolean isStored;
    private @Nullable RuntimeException failure;

    Item(EncodedOperation encoded, boolean allowsDuplicate, Condition turn) {
      this.encoded = encoded;
      this.allowsDuplicate = allowsDuplicate;
      this.turn = turn;
    }
  }

  /** Stores an operation, unless it is there already. */
  void enqueue(Operation operation, boolean allowsDuplicate) {
    Item item = new Item(encoder.encode(operation), allowsDuplicate, lock.newCondition());
    List<Item> batch = join(item);
    if (!batch.isEmpty()) {
      try {
        execute(batch);
      } finally {
        release(batch);
      }
    }
    if (!item.isStored) {
      throw item.failure != null
          ? item.failure
          : new QueueException(
              "enqueuing %s failed, and nothing was stored".formatted(operation), null);
    }
  }

  /** Returns the batch that the caller has to execute; empty if another caller has done it. */
  private List<Item> join(Item item) {
    lock.lock();
    try {
      waiting.add(item);
      if (isExecuting) {
        while (!item.isDone && !item.isLeader) {
          item.turn.awaitUninterruptibly();
        }
      }
      if (item.isDone) {
        return List.of();
      }
      isExecuting = true;
      List<Item> batch = new ArrayList<>();
      long bytes = 0;
      while (!waiting.isEmpty() && batch.size() < MAX_ITEMS && bytes < MAX_BYTES) {
        batch.add(waiting.remove());
        bytes += batch.get(batch.size() - 1).encoded.request().length;
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void release(List<Item> batch) {
    lock.lock();
    try {
      for (Item item : batch) {
        item.isDone = true;
        item.turn.signal();
      }
      Item next = waiting.peek();
      isExecuting = next != null;
      if (next != null) {
        next.isLeader = true;
        next.turn.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void execute(List<Item> batch) {
    if (batch.size() > 1) {
      try {
        commit(batch);
        return;
      } catch (QueueException e) {
        // Nothing was stored. One that is too large, for example, must not fail the others.
      }
    }
    for (Item item : batch) {
      try {
        commit(List.of(item));
      } catch (RuntimeException e) {
        item.failure = e;
      }
    }
  }

  private void commit(List<Item> batch) {
    file.write(
        "enqueuing " + batch.get(0).encoded.operation(),
        () -> {
          for (Item item : batch) {
            item.failure = null;
            try {
              inserts.insert(item.encoded, item.allowsDuplicate, OperationInserts.Position.ALONE);
            } catch (RuntimeException e) { // It changed nothing.
              item.failure = e;
            }
          }
          return true;
        });
    batch.forEach(it -> it.isStored = it.failure == null);
  }
}
