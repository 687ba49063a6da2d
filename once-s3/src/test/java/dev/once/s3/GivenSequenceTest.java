package dev.once.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventLog;
import dev.once.events.SequenceConflictException;
import dev.once.events.SequenceMode;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

class GivenSequenceTest {
  private static TestS3 s3;
  private final String prefix = UUID.randomUUID().toString();
  private final Aggregate aggregate = new Aggregate("order", "Order 1");
  private S3EventStore store;

  @BeforeAll
  static void start() {
    s3 = new TestS3();
  }

  @AfterAll
  static void stop() {
    s3.close();
  }

  @BeforeEach
  void create() {
    store = store(s3.client());
  }

  @Test
  void appendsAtTheSequenceOfTheCaller() {
    EventData event = event();
    store.append(event, AppendCondition.at(7));
    store.append(event(), AppendCondition.at(3));

    assertThat(store.append(event, AppendCondition.at(7)).duplicate()).isTrue();
    assertThat(store.read(aggregate, 0, 10)).extracting(Event::sequence).containsExactly(3L, 7L);
    assertThat(store.lastSequence(aggregate)).isEqualTo(7);
    assertThat(store.log().read(EventLog.START, 10).events()).hasSize(2);
  }

  @Test
  void refusesASequenceThatAnotherEventHas() {
    store.append(event(), AppendCondition.at(7));
    EventData late = event();

    assertThatThrownBy(() -> store.append(late, AppendCondition.at(7)))
        .isInstanceOfSatisfying(
            SequenceConflictException.class, it -> assertThat(it.actual()).isEqualTo(7));
    assertThat(store.append(late, AppendCondition.at(8)).duplicate()).isFalse();
  }

  @Test
  void needsASequence() {
    assertThatThrownBy(() -> store.append(event()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("use AppendCondition.at");
    assertThatThrownBy(() -> store.append(event(), AppendCondition.expecting(0)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesAnotherSequenceWhileTheFirstMayBeWritten() {
    EventData event = event();
    S3EventStore crashing =
        store(HookedS3.around(s3.client(), HookedS3.Fault.CRASH_BEFORE.atPut(3)));
    assertThatThrownBy(() -> crashing.append(event, AppendCondition.at(7)))
        .isInstanceOf(HookedS3.Crash.class);

    assertThatThrownBy(() -> store.append(event, AppendCondition.at(8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was given sequence 7 before");
    assertThat(store.append(event, AppendCondition.at(7)).duplicate()).isFalse();
  }

  private S3EventStore store(S3Client client) {
    return S3EventStore.builder(client, TestS3.BUCKET)
        .prefix(prefix)
        .sequenceMode(SequenceMode.OFF)
        .readDelay(Duration.ZERO)
        .build();
  }

  private EventData event() {
    return EventData.of(UUID.randomUUID().toString(), aggregate, "order.changed", "{}");
  }
}
