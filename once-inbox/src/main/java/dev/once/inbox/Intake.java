package dev.once.inbox;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.jdbc.spi.Line;
import dev.once.jdbc.spi.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what arrives: each key once, deliveries that come at the same time in one statement
 * and one commit.
 */
final class Intake {
  /** Deliveries with more items go alone, so that a shared trip stays a short one. */
  private static final int MAX_ITEMS_TOGETHER = 16;

  /** The same for larger ones. */
  private static final int MAX_BYTES_TOGETHER = 64 << 10;

  /** How often an item is sent again that was purged while it was looked at. */
  private static final int MAX_PASSES = 5;

  private final Work work;
  private final Line<List<Arrival>, List<Acceptance>> line;

  Intake(Work work) {
    this.work = work;
    this.line = new Line<>(this::write, this::writeTogether, it -> it.get(0).key());
  }

  /** Returns what became of each of {@code arrivals}, in their order. */
  List<Acceptance> accept(List<Arrival> arrivals) {
    boolean small =
        arrivals.size() <= MAX_ITEMS_TOGETHER
            && arrivals.stream().mapToInt(Arrival::size).sum() <= MAX_BYTES_TOGETHER;
    return small ? line.ride(arrivals) : write(arrivals);
  }

  private List<Supplier<List<Acceptance>>> writeTogether(List<List<Arrival>> deliveries) {
    List<Acceptance> all = write(deliveries.stream().flatMap(List::stream).toList());
    List<Supplier<List<Acceptance>>> answers = new ArrayList<>();
    int from = 0;
    for (List<Arrival> delivery : deliveries) {
      List<Acceptance> own = all.subList(from, from + delivery.size());
      answers.add(() -> own);
      from += delivery.size();
    }
    return answers;
  }

  /** Sends one item of each key, and tells the others by what is found out about that one. */
  private List<Acceptance> write(List<Arrival> arrivals) {
    @Nullable Acceptance[] answers = new Acceptance[arrivals.size()];
    for (int pass = 0; pass < MAX_PASSES; pass++) {
      Map<Key, Integer> firsts = new TreeMap<>(Line.BY_KEY);
      for (int i = 0; i < answers.length; i++) {
        if (answers[i] == null) {
          firsts.putIfAbsent(arrivals.get(i).key(), i);
        }
      }
      if (firsts.isEmpty()) {
        return Arrays.stream(answers).map(Objects::requireNonNull).toList();
      }
      Map<Key, Found> found = send(firsts, arrivals);
      for (int i = 0; i < answers.length; i++) {
        Key key = arrivals.get(i).key();
        Found known = found.get(key);
        if (answers[i] == null && known != null) {
          answers[i] = known.acceptanceOf(arrivals.get(i), Objects.equals(firsts.get(key), i));
        }
      }
    }
    throw new StoreException(
        "items are forgotten while they are taken in, or a newer release has them: send them again",
        null);
  }

  private Map<Key, Found> send(Map<Key, Integer> firsts, List<Arrival> arrivals) {
    List<Arrival> sent = firsts.values().stream().map(arrivals::get).toList();
    Iterator<Found> answers =
        work.run("taking in webhooks", it -> AcceptStatement.execute(it, sent)).iterator();
    Map<Key, Found> found = new TreeMap<>(Line.BY_KEY);
    firsts.keySet().forEach(key -> found.put(key, answers.next()));
    return found;
  }
}
