package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every event store promises. Tests of a store extend it. */
public abstract class EventStoreContract {
  private static final int CALLERS = 8;

  /** Returns the store under test, which may have events of other tests. */
  protected abstract EventStore store();

  protected static Aggregate newAggregate() {
    return new Aggregate("order", UUID.randomUUID().toString());
  }

  protected static EventData event(Aggregate aggregate, String json) {
    return EventData.of(UUID.randomUUID().toString(), aggregate, "order.changed", json);
  }

  @Test
  void numbersTheEventsOfAnAggregate() {
    Aggregate one = newAggregate();
    Aggregate other = newAggregate();
    store().append(event(one, "{\"n\":1}"));
    store().append(event(other, "{\"n\":1}"));
    Event second = store().append(event(one, "{\"n\":2}")).event();

    assertThat(second.sequence()).isEqualTo(2);
    assertThat(store().read(one, 0, 10)).extracting(Event::sequence).containsExactly(1L, 2L);
    assertThat(store().read(one, 1, 10)).extracting(Event::id).containsExactly(second.id());
    assertThat(store().read(one, 0, 1)).hasSize(1);
    assertThat(store().lastSequence(one)).isEqualTo(2);
    assertThat(store().lastSequence(newAggregate())).isZero();
  }

  @Test
  void keepsEverythingThatAnEventSays() {
    EventData said =
        event(newAggregate(), "{\"amount\":10.50,\"big\":12345678901234567890}")
            .withKind(EventKind.COMMAND)
            .withSource("/tests")
            .withMetadata(Map.of("correlation_id", "c-1", "actor", "Zoë"));
    Event appended = store().append(said).event();

    Event found = store().find(said.id()).orElseThrow();
    assertThat(found.sequence()).isEqualTo(1);
    assertThat(found.time()).isEqualTo(appended.time());
    assertThat(found.content().kind()).isEqualTo(EventKind.COMMAND);
    assertThat(found.content().type()).isEqualTo("order.changed");
    assertThat(found.content().source()).isEqualTo("/tests");
    assertThat(found.content().metadata()).isEqualTo(said.metadata());
    assertThat(found.content().fingerprint()).isEqualTo(said.fingerprint());
    assertThat(found.content().data()).isEqualTo(said.data());
    assertThat(store().find("unknown")).isEmpty();
  }

  @Test
  void keepsBytesThatAreNotJson() {
    byte[] bytes = {0, 1, (byte) 0xff, 'x'};
    EventData said = event(newAggregate(), "{}").withData("application/octet-stream", bytes);
    store().append(said);

    assertThat(store().find(said.id()).orElseThrow().content().data()).isEqualTo(bytes);
  }

  @Test
  void answersARetryWithTheFirstEvent() {
    Aggregate aggregate = newAggregate();
    EventData said = event(aggregate, "{\"a\":1,\"b\":2}");
    Event first = store().append(said, AppendCondition.expecting(0)).event();
    store().append(event(aggregate, "{}"));

    EventData again = EventData.of(said.id(), aggregate, said.type(), "{ \"b\": 2, \"a\": 1.0 }");
    Appended retry = store().append(again, AppendCondition.expecting(0));

    assertThat(retry.duplicate()).isTrue();
    assertThat(retry.event().sequence()).isEqualTo(first.sequence());
    assertThat(retry.event().time()).isEqualTo(first.time());
    assertThat(store().read(aggregate, 0, 10)).hasSize(2);
  }

  @Test
  void refusesAnotherEventUnderAUsedId() {
    Aggregate aggregate = newAggregate();
    EventData first = event(aggregate, "{\"amount\":1}");
    EventData second = EventData.of(first.id(), aggregate, first.type(), "{\"amount\":2}");
    EventData elsewhere = EventData.of(first.id(), newAggregate(), first.type(), first.data());
    store().append(first);

    assertThatThrownBy(() -> store().append(second))
        .isInstanceOf(EventMismatchException.class)
        .hasMessageContaining(first.fingerprint().toString())
        .hasMessageContaining(second.fingerprint().toString());
    assertThatThrownBy(() -> store().append(elsewhere)).isInstanceOf(EventMismatchException.class);
    assertThat(store().lastSequence(aggregate)).isEqualTo(1);
    assertThat(store().read(elsewhere.aggregate(), 0, 10)).isEmpty();
    assertThat(store().lastSequence(elsewhere.aggregate())).isZero();
  }

  @Test
  void appendsOnlyAtTheExpectedSequence() {
    Aggregate aggregate = newAggregate();
    assertThatThrownBy(() -> store().append(event(aggregate, "{}"), AppendCondition.expecting(1)))
        .isInstanceOfSatisfying(
            SequenceConflictException.class, it -> assertThat(it.actual()).isZero());
    store().append(event(aggregate, "{}"), AppendCondition.expecting(0));

    for (long wrong : new long[] {0, 2}) {
      assertThatThrownBy(
              () -> store().append(event(aggregate, "{}"), AppendCondition.expecting(wrong)))
          .isInstanceOfSatisfying(
              SequenceConflictException.class, it -> assertThat(it.actual()).isEqualTo(1));
    }
    assertThat(store().read(aggregate, 0, 10)).hasSize(1);
    assertThat(store().append(event(aggregate, "{}"), AppendCondition.expecting(1)).duplicate())
        .isFalse();
  }

  @Test
  void appendsAnEventOnceForCallersAtTheSameTime() throws Exception {
    Aggregate aggregate = newAggregate();
    EventData said = event(aggregate, "{}");
    List<Appended> results = concurrently(it -> store().append(said));

    assertThat(results).filteredOn(it -> !it.duplicate()).hasSize(1);
    assertThat(results).extracting(it -> it.event().sequence()).containsOnly(1L);
    assertThat(store().read(aggregate, 0, 10)).hasSize(1);
    assertThat(store().lastSequence(aggregate)).isEqualTo(1);
  }

  @Test
  void givesEachOfManyCallersASequenceOfItsOwn() throws Exception {
    Aggregate aggregate = newAggregate();
    List<Appended> results = concurrently(it -> store().append(event(aggregate, "{}")));

    List<Long> sequences = LongStream.rangeClosed(1, CALLERS).boxed().toList();
    assertThat(results)
        .extracting(it -> it.event().sequence())
        .containsExactlyInAnyOrderElementsOf(sequences);
    assertThat(store().read(aggregate, 0, 100))
        .extracting(Event::sequence)
        .containsExactlyElementsOf(sequences);
  }

  @Test
  void letsOneOfManyCallersWinASequence() throws Exception {
    Aggregate aggregate = newAggregate();
    AtomicInteger conflicts = new AtomicInteger();
    concurrently(
        it -> {
          try {
            store().append(event(aggregate, "{}"), AppendCondition.expecting(0));
          } catch (SequenceConflictException e) {
            conflicts.incrementAndGet();
          }
          return it;
        });

    assertThat(conflicts).hasValue(CALLERS - 1);
    assertThat(store().read(aggregate, 0, 10)).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("oddIds")
  void keepsAggregatesWithOddIdsApart(List<String> ids) {
    String prefix = UUID.randomUUID().toString();
    Set<String> keys = new HashSet<>();
    for (String id : ids) {
      Aggregate aggregate = new Aggregate("odd", prefix + id);
      keys.add(aggregate.key());
      assertThat(store().append(event(aggregate, "{}")).event().sequence()).as(id).isEqualTo(1);
      assertThat(store().read(aggregate, 0, 10)).extracting(Event::aggregate).contains(aggregate);
    }
    assertThat(keys).hasSameSizeAs(ids).allMatch(it -> it.length() <= 200);
  }

  static Stream<List<String>> oddIds() {
    String longest = "x".repeat(Aggregate.MAX_ID_CHARS - 40);
    return Stream.of(
        List.of("a", "A", "a ", " a", "a\t", "a\n"),
        List.of("a/b", "a%2fb", "a%2Fb", "a:b", "a\\b", "a..b", "..", "a//b"),
        List.of("\u00e9", "e\u0301", "\ud83d\ude00", "\u212b", "\u00c5"),
        List.of("~", "%", "%%", "%7e", "\u0001"),
        List.of(longest + "1", longest + "2", longest));
  }

  @Test
  void readsTheLogOnceInTheOrderOfEachAggregateWhileItGrows() throws Exception {
    List<Aggregate> aggregates = Stream.generate(() -> newAggregate()).limit(3).toList();
    Set<String> appended = ConcurrentHashMap.newKeySet();
    String start = end(EventLog.START);
    ExecutorService writers = Executors.newFixedThreadPool(3);
    List<Future<?>> writing = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      writing.add(
          writers.submit(
              () -> {
                for (int n = 0; n < 15; n++) {
                  Aggregate aggregate = aggregates.get(n % aggregates.size());
                  appended.add(store().append(event(aggregate, "{}")).event().id());
                }
              }));
    }
    List<Event> read = new ArrayList<>();
    String position = start;
    while (read.size() < 45) {
      EventLog.Page page = store().log().read(position, 7);
      read.addAll(page.events());
      position = page.next();
      if (page.events().isEmpty() && writing.stream().allMatch(Future::isDone)) {
        awaitAll(writing); // Throws if a writer failed.
      }
    }
    awaitAll(writing); // An event can be read before its append has returned.
    writers.shutdown();

    assertThat(read).extracting(Event::id).containsExactlyInAnyOrderElementsOf(appended);
    Map<Aggregate, Long> last = new HashMap<>();
    for (Event event : read) {
      assertThat(event.sequence()).isGreaterThan(last.getOrDefault(event.aggregate(), 0L));
      last.put(event.aggregate(), event.sequence());
    }
    assertThat(store().log().read(position, 10).events()).isEmpty();
  }

  @Test
  void keepsTheNewestSnapshot() {
    Aggregate aggregate = newAggregate();
    assertThat(store().snapshot(aggregate)).isEmpty();
    store().save(Snapshot.of(aggregate, 5, bytes("five")));
    store().save(Snapshot.of(aggregate, 3, bytes("three")));

    Snapshot found = store().snapshot(aggregate).orElseThrow();
    assertThat(found.sequence()).isEqualTo(5);
    assertThat(found.data()).isEqualTo(bytes("five"));
  }

  private static void awaitAll(List<Future<?>> tasks) throws Exception {
    for (Future<?> it : tasks) {
      it.get();
    }
  }

  /** Returns the position after all events. */
  protected final String end(String position) {
    EventLog.Page page = store().log().read(position, EventStore.MAX_PAGE);
    return page.events().isEmpty() ? page.next() : end(page.next());
  }

  protected static <T> List<T> concurrently(Call<T> call) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Callable<T>> calls = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int caller = i;
        calls.add(() -> call.execute(caller));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  /** A call of one of several callers. */
  protected interface Call<T> {
    T execute(int caller) throws Exception;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
