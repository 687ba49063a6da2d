package dev.once.inbox;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.jdbc.internal.Batcher;
import dev.once.jdbc.internal.StoreThreads;
import dev.once.jdbc.internal.TransactionRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records arriving items, each key once. Concurrent deliveries share one statement and one commit.
 */
final class Intake {
  /**
   * A delivery with more items is written in a statement of its own, so that batches stay short.
   */
  private static final int MAX_BATCHED_ITEMS = 16;

  /** A larger delivery is written in a statement of its own, too. */
  private static final int MAX_BATCHED_BYTES = 64 << 10;

  /** Limits how often items are sent whose records are purged while they are read. */
  private static final int MAX_PASSES = 5;

  /** The order in which all transactions lock keys, so that they do not deadlock. */
  private static final Comparator<Key> BY_KEY =
      Comparator.comparing(Key::tenant).thenComparing(Key::scope).thenComparing(Key::value);

  private final TransactionRunner work;
  private final StoreThreads threads;
  private final AcceptStatement statement;
  private final Batcher<List<IncomingItem>, List<Acceptance>> batcher;

  Intake(TransactionRunner work, StoreThreads threads, AcceptStatement statement) {
    this.work = work;
    this.threads = threads;
    this.statement = statement;
    this.batcher = new Batcher<>(threads, this::write, this::writeBatch, Intake::bytes);
  }

  /** Returns the decision about each of {@code arrivals}, in their order. */
  List<Acceptance> accept(List<IncomingItem> arrivals) {
    boolean small = arrivals.size() <= MAX_BATCHED_ITEMS && bytes(arrivals) <= MAX_BATCHED_BYTES;
    return small ? batcher.submit(arrivals) : threads.call(() -> write(arrivals));
  }

  /** Returns whether an item is recorded under this key, with whatever content. */
  boolean isRecorded(Key key) {
    return threads.call(
        () -> work.run("looking for a webhook", it -> IsRecordedStatement.execute(it, key)));
  }

  private static long bytes(List<IncomingItem> arrivals) {
    return arrivals.stream().mapToLong(IncomingItem::size).sum();
  }

  private List<Supplier<List<Acceptance>>> writeBatch(List<List<IncomingItem>> deliveries) {
    List<Acceptance> all = write(deliveries.stream().flatMap(List::stream).toList());
    List<Supplier<List<Acceptance>>> answers = new ArrayList<>();
    int from = 0;
    for (List<IncomingItem> delivery : deliveries) {
      List<Acceptance> own = all.subList(from, from + delivery.size());
      answers.add(() -> own);
      from += delivery.size();
    }
    return answers;
  }

  /** Sends one item per key, and derives the decisions about other items with that key from it. */
  private List<Acceptance> write(List<IncomingItem> arrivals) {
    @Nullable Acceptance[] answers = new Acceptance[arrivals.size()];
    for (int pass = 0; pass < MAX_PASSES; pass++) {
      Map<Key, Integer> firsts = new TreeMap<>(BY_KEY);
      for (int i = 0; i < answers.length; i++) {
        if (answers[i] == null) {
          firsts.putIfAbsent(arrivals.get(i).key(), i);
        }
      }
      if (firsts.isEmpty()) {
        return Arrays.stream(answers).map(Objects::requireNonNull).toList();
      }
      Map<Key, RememberedItem> found = send(firsts, arrivals);
      for (int i = 0; i < answers.length; i++) {
        Key key = arrivals.get(i).key();
        RememberedItem known = found.get(key);
        if (answers[i] == null && known != null) {
          answers[i] = known.acceptanceOf(arrivals.get(i), Objects.equals(firsts.get(key), i));
        }
      }
    }
    throw new StoreException(
        "items were purged during the call, or a newer release wrote them: send them again", null);
  }

  private Map<Key, RememberedItem> send(Map<Key, Integer> firsts, List<IncomingItem> arrivals) {
    List<IncomingItem> sent = firsts.values().stream().map(arrivals::get).toList();
    Iterator<RememberedItem> answers =
        work.run("accepting webhooks", it -> statement.execute(it, sent)).iterator();
    Map<Key, RememberedItem> found = new TreeMap<>(BY_KEY);
    firsts.keySet().forEach(key -> found.put(key, answers.next()));
    return found;
  }
}
