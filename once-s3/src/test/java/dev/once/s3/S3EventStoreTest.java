package dev.once.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.Appended;
import dev.once.events.EventData;
import dev.once.events.EventDatabase;
import dev.once.events.EventLog;
import dev.once.events.EventStore;
import dev.once.events.EventStoreContract;
import dev.once.events.MismatchRule;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class S3EventStoreTest extends EventStoreContract {
  private static TestS3 s3;
  private static EventDatabase database;
  private static S3EventStore store;

  @BeforeAll
  static void create() {
    s3 = new TestS3();
    database = new EventDatabase("s3");
    store = builder().build();
  }

  @AfterAll
  static void close() {
    database.close();
    s3.close();
  }

  @Override
  protected EventStore store() {
    return store;
  }

  @Test
  void takesAMismatchForARetryIfThatIsChosen() {
    S3EventStore lenient = builder().mismatchRule(MismatchRule.WARN).build();
    EventData first = event(newAggregate(), "{\"n\":1}");
    lenient.append(first);
    EventData second = EventData.of(first.id(), first.aggregate(), first.type(), "{\"n\":2}");

    Appended retry = lenient.append(second);

    assertThat(retry.duplicate()).isTrue();
    assertThat(retry.event().content().fingerprint()).isEqualTo(first.fingerprint());
  }

  @Test
  void keepsLogsWithDifferentPrefixesApart() {
    S3EventStore other = builder().prefix("other").sequences("spice_event_registry", "o").build();
    Aggregate aggregate = newAggregate();
    EventData event = event(aggregate, "{}");
    store.append(event);

    assertThat(other.find(event.id())).isEmpty();
    assertThat(other.append(event).duplicate()).isFalse();
    assertThat(other.log().read(EventLog.START, 10).events()).hasSize(1);
  }

  @Test
  void refusesASequenceOfTheCaller() {
    assertThatThrownBy(() -> store.append(event(newAggregate(), "{}"), AppendCondition.at(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in mode postgres the store gives the sequence");
  }

  @Test
  void needsADatabaseForItsSequences() {
    assertThatThrownBy(() -> S3EventStore.builder(s3.client(), TestS3.BUCKET).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a database");
  }

  @Test
  void refusesAPositionOfAnotherLog() {
    assertThatThrownBy(() -> store.log().read("12:7", 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("got 12:7");
  }

  private static S3EventStore.Builder builder() {
    return S3EventStore.builder(s3.client(), TestS3.BUCKET)
        .prefix("log")
        .database(database.dataSource());
  }
}
