package dev.once.inbox;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.jdbc.spi.Line;
import dev.once.jdbc.spi.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what arrives: each key once, deliveries that come at the same time in one statement
 * and one commit. What contradicts an earlier item is written down as such.
 */
final class Intake {
  /** Deliveries with more items go alone, so that a shared trip stays a short one. */
  private static final int MAX_ITEMS_TOGETHER = 16;

  /** How often it is tried to tell several items of one key apart from each other. */
  private static final int MAX_PASSES = 10;

  private final Work work;
  private final Line<List<Arrival>, List<Acceptance>> line;

  Intake(Work work) {
    this.work = work;
    this.line = new Line<>(this::write, this::writeTogether, it -> it.get(0).key());
  }

  /** Returns what became of each of {@code arrivals}, in their order. */
  List<Acceptance> accept(List<Arrival> arrivals) {
    List<Acceptance> answers =
        arrivals.size() > MAX_ITEMS_TOGETHER ? write(arrivals) : line.ride(arrivals);
    Map<Key, Arrival> conflicts = new TreeMap<>(Line.BY_KEY);
    for (int i = 0; i < arrivals.size(); i++) {
      if (answers.get(i) == Acceptance.CONFLICT) {
        Arrival conflict = arrivals.get(i).asConflict();
        conflicts.put(conflict.key(), conflict);
      }
    }
    if (!conflicts.isEmpty()) {
      send(List.copyOf(conflicts.values()));
    }
    return answers;
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

  /** Sends one item of each key, and tells the others by what became of that one. */
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
      List<Acceptance> sent = send(firsts.values().stream().map(arrivals::get).toList());
      int next = 0;
      for (int first : firsts.values()) {
        Acceptance answer = sent.get(next++);
        answers[first] = answer == Acceptance.FORGOTTEN ? null : answer;
      }
      for (int i = 0; i < answers.length; i++) {
        int first = Objects.requireNonNullElse(firsts.get(arrivals.get(i).key()), i);
        if (answers[i] == null && answers[first] != null) {
          answers[i] = following(answers[first], arrivals.get(first), arrivals.get(i));
        }
      }
    }
    throw new StoreException("others forget the same items again and again: send them later", null);
  }

  /** What becomes of an item after another one with its key, if that can be told. */
  private static @Nullable Acceptance following(Acceptance answer, Arrival first, Arrival second) {
    if (first.fingerprint().equals(second.fingerprint())) {
      return answer == Acceptance.NEW ? Acceptance.DUPLICATE : answer;
    }
    return answer == Acceptance.CONFLICT ? null : Acceptance.CONFLICT;
  }

  private List<Acceptance> send(List<Arrival> arrivals) {
    return work.run("taking in webhooks", it -> AcceptStatement.execute(it, arrivals));
  }
}
