package dev.once.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventLog;
import dev.once.events.EventStore;
import dev.once.events.EventStoreContract;
import dev.once.events.SequenceMode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The store without a database keeps the contract while appends are faster than its delay. */
class ListedSequenceTest extends EventStoreContract {
  private static TestS3 s3;
  private final S3EventStore store =
      builder(UUID.randomUUID().toString()).readDelay(Duration.ofSeconds(4)).build();

  @BeforeAll
  static void start() {
    s3 = new TestS3();
  }

  @AfterAll
  static void stop() {
    s3.close();
  }

  @Override
  protected EventStore store() {
    return store;
  }

  @Test
  void readsTheLogUpToItsDelay() {
    Instant now = Instant.now();
    String prefix = UUID.randomUUID().toString();
    Event event = at(prefix, now).append(event(newAggregate(), "{}")).event();

    assertThat(at(prefix, now.plusSeconds(10)).log().read(EventLog.START, 10).events()).isEmpty();
    assertThat(at(prefix, now.plusSeconds(11)).log().read(EventLog.START, 10).events())
        .extracting(Event::id)
        .containsExactly(event.id());
  }

  @Test
  void keepsTheOrderOfAnAggregateIfAClockIsBehind() {
    Instant now = Instant.now();
    String prefix = UUID.randomUUID().toString();
    Aggregate aggregate = newAggregate();
    Event first = at(prefix, now).append(event(aggregate, "{}")).event();
    Event second = at(prefix, now.minusSeconds(60)).append(event(aggregate, "{}")).event();

    assertThat(second.sequence()).isEqualTo(2);
    assertThat(second.time()).isAfter(first.time());
  }

  @Test
  void findsTheLastOfManySequences() {
    String prefix = UUID.randomUUID().toString();
    Aggregate aggregate = newAggregate();
    s3.addEmptyObjects(
        LongStream.rangeClosed(1, 2345)
            .mapToObj(it -> prefix + "/" + LogNames.event(aggregate.key(), it)));

    assertThat(builder(prefix).build().lastSequence(aggregate)).isEqualTo(2345);
  }

  private static S3EventStore at(String prefix, Instant now) {
    return builder(prefix).clock(Clock.fixed(now, ZoneOffset.UTC)).build();
  }

  private static S3EventStore.Builder builder(String prefix) {
    return S3EventStore.builder(s3.client(), TestS3.BUCKET)
        .prefix(prefix)
        .sequenceMode(SequenceMode.named("legacy"));
  }
}
