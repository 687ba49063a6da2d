package dev.once.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.StoreException;
import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventDatabase;
import dev.once.events.EventLog;
import dev.once.events.SequenceMode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

class S3EventLogTest {
  private static final int WRITERS = 3;
  private static final int EVENTS_PER_WRITER = 15;
  private static final List<HookedS3.Fault> FAULTS = List.of(HookedS3.Fault.values());
  private static final Duration WINDOW = Duration.ofMinutes(10);

  private static TestS3 s3;
  private static EventDatabase database;

  private final String log = UUID.randomUUID().toString();
  private final Aggregate aggregate = new Aggregate("order", "Order 1");

  @BeforeAll
  static void start() {
    s3 = new TestS3();
    database = new EventDatabase("log");
  }

  @AfterAll
  static void stop() {
    database.close();
    s3.close();
  }

  /** Leases are so short that readers abandon the places of writers that are alive, too. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyReaderSeesEveryEventOnceAndInOrderWhileWritersCrash(long seed) throws Exception {
    List<Aggregate> aggregates =
        IntStream.range(0, 3).mapToObj(it -> new Aggregate("order", "A" + it)).toList();
    Set<String> appended = ConcurrentHashMap.newKeySet();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 2);
    List<Future<?>> writing = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      Random random = new Random(seed * WRITERS + writer);
      writing.add(
          threads.submit(
              () -> {
                for (int n = 0; n < EVENTS_PER_WRITER; n++) {
                  EventData event = event(aggregates.get(random.nextInt(aggregates.size())));
                  appendUntilDone(event, random);
                  appended.add(event.id());
                }
              }));
    }
    List<Future<List<Event>>> reading = new ArrayList<>();
    for (int reader = 0; reader < 2; reader++) {
      reading.add(threads.submit(() -> readUntilDone(writing)));
    }
    for (Future<?> it : writing) {
      it.get();
    }

    for (Future<List<Event>> it : reading) {
      List<Event> read = it.get();
      assertThat(read)
          .as("seed %d", seed)
          .extracting(Event::id)
          .containsExactlyInAnyOrderElementsOf(appended);
      Map<Aggregate, Long> last = new HashMap<>();
      for (Event event : read) {
        assertThat(event.sequence())
            .as("seed %d", seed)
            .isGreaterThan(last.getOrDefault(event.aggregate(), 0L));
        last.put(event.aggregate(), event.sequence());
      }
    }
    threads.shutdown();
  }

  private void appendUntilDone(EventData event, Random random) {
    while (true) {
      HookedS3.Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
      HookedS3 hooks = fault.atPut(1 + random.nextInt(6)); // From 4 on: mostly no fault.
      try {
        store(HookedS3.around(s3.client(), hooks), Duration.ofMillis(20)).append(event);
        return;
      } catch (HookedS3.Crash | StoreException e) {
        // The next life retries.
      }
    }
  }

  private List<Event> readUntilDone(List<Future<?>> writing) {
    S3EventStore store = store(s3.client(), Duration.ofMillis(20));
    List<Event> read = new ArrayList<>();
    String position = EventLog.START;
    int idle = 0;
    while (idle < 3) {
      boolean done = writing.stream().allMatch(Future::isDone);
      EventLog.Page page = store.log().read(position, 7);
      read.addAll(page.events());
      position = page.next();
      boolean settled = page.events().isEmpty() && store.log().heldSince().isEmpty();
      idle = done && settled ? idle + 1 : 0;
    }
    return read;
  }

  @Test
  void readsPages() {
    S3EventStore store = store(s3.client(), Duration.ofMinutes(1));
    for (int i = 0; i < 5; i++) {
      store.append(event(aggregate));
    }

    EventLog.Page first = store.log().read(EventLog.START, 2);
    EventLog.Page second = store.log().read(first.next(), 2);
    EventLog.Page third = store.log().read(second.next(), 2);

    assertThat(first.events()).extracting(Event::sequence).containsExactly(1L, 2L);
    assertThat(second.events()).extracting(Event::sequence).containsExactly(3L, 4L);
    assertThat(third.events()).extracting(Event::sequence).containsExactly(5L);
    assertThat(store.log().read(third.next(), 2))
        .isEqualTo(new EventLog.Page(List.of(), third.next()));
  }

  @Test
  void looksBackForEventsThatCameLate() {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    appendAt(now.minusSeconds(700), 1);
    Event inTime = appendAt(now, 2);
    EventLog reader = storeAt(now.plusSeconds(60)).log();
    String position = reader.read(EventLog.START, 10).next();
    Event late = appendAt(now.minusSeconds(5), 3);

    assertThat(reader.read(position, 10).events()).isEmpty();
    assertThat(reader.late(position, WINDOW, 50)).extracting(Event::id).containsExactly(late.id());
    assertThat(storeAt(now.plusSeconds(60)).log().late(position, WINDOW, 50))
        .as("of a process that has read nothing")
        .extracting(Event::id)
        .containsExactly(late.id(), inTime.id());
    assertThat(reader.late(position, WINDOW, 1)).extracting(Event::id).containsExactly(late.id());
    assertThat(reader.late(EventLog.START, WINDOW, 50)).isEmpty();
    assertThat(reader.late(position, Duration.ZERO, 50)).isEmpty();
    assertThat(reader.late(position, WINDOW, 0)).isEmpty();
  }

  @Test
  void looksBackWithoutLoadingWhatItHasRead() {
    for (int i = 1; i <= 20; i++) {
      appendAt(Instant.parse("2026-01-01T00:00:00Z").plusSeconds(i), i);
    }
    AtomicInteger loaded = new AtomicInteger();
    EventLog reader =
        S3EventStore.builder(counting(loaded), TestS3.BUCKET)
            .prefix(log)
            .sequenceMode(SequenceMode.OFF)
            .clock(Clock.fixed(Instant.parse("2026-01-01T00:10:00Z"), ZoneOffset.UTC))
            .build()
            .log();
    String position = reader.read(EventLog.START, 100).next();
    assertThat(loaded).hasValue(20);

    assertThat(reader.late(position, WINDOW, 50)).isEmpty();

    assertThat(loaded).hasValue(20);
  }

  /** Returns a client that counts the objects that it gets. */
  private static S3Client counting(AtomicInteger loaded) {
    return (S3Client)
        Proxy.newProxyInstance(
            S3Client.class.getClassLoader(),
            new Class<?>[] {S3Client.class},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("getObject")) {
                loaded.incrementAndGet();
              }
              try {
                return method.invoke(s3.client(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void looksBackAtASampleOfManyEvents() {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    s3.addEmptyObjects(
        LongStream.range(0, 1100)
            .mapToObj(it -> new Place("abandoned/x", 1 + it, now.minusMillis(it * 100)))
            .map(it -> log + "/" + LogNames.index(it)));
    Event old = appendAt(now.minusSeconds(60), 1);
    Event newest = appendAt(now.plusMillis(1), 2);
    EventLog reader = storeAt(now.plusSeconds(60)).log();
    String position = reader.read(EventLog.START, 10).next();
    position = reader.read(position, 10).next();

    assertThat(reader.late(position, WINDOW, 50)).as("what was read did not come late").isEmpty();
    assertThat(storeAt(now.plusSeconds(60)).log().late(position, WINDOW, 50))
        .extracting(Event::id)
        .endsWith(newest.id())
        .doesNotHaveDuplicates()
        .isSubsetOf(old.id(), newest.id());
  }

  @Test
  void samplesEvenlyWithTheNewest() {
    List<String> names = IntStream.rangeClosed(1, 10).mapToObj(String::valueOf).toList();

    assertThat(S3EventLog.evenly(names, 3)).containsExactly("3", "6", "10");
    assertThat(S3EventLog.evenly(names, 1)).containsExactly("10");
    assertThat(S3EventLog.evenly(names, 10)).isEqualTo(names);
  }

  private S3EventStore store(S3Client client, Duration lease) {
    return S3EventStore.builder(client, TestS3.BUCKET)
        .prefix(log)
        .database(database.dataSource())
        .sequences("spice_event_registry", log)
        .reservationLease(lease)
        .build();
  }

  private Event appendAt(Instant time, long sequence) {
    return storeAt(time).append(event(aggregate), AppendCondition.at(sequence)).event();
  }

  private S3EventStore storeAt(Instant time) {
    return S3EventStore.builder(s3.client(), TestS3.BUCKET)
        .prefix(log)
        .sequenceMode(SequenceMode.OFF)
        .clock(Clock.fixed(time, ZoneOffset.UTC))
        .build();
  }

  private static EventData event(Aggregate aggregate) {
    return EventData.of(UUID.randomUUID().toString(), aggregate, "order.changed", "{}");
  }
}
