package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.EngineEvent;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.NoAnswerException;
import dev.once.Once;
import dev.once.OnceListener;
import dev.once.OutcomeUnknownException;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.TenantLimitException;
import dev.once.UnreadableOutcomeException;
import dev.once.events.ConsumerEvent;
import dev.once.http.ReplayStatus;
import dev.once.inbox.InboxEvent;
import dev.once.jobs.JobEvent;
import dev.once.jobs.JobMismatchException;
import dev.once.json.JsonRefusedException;
import dev.once.spi.Claim;
import dev.once.spi.State;
import dev.once.webhooks.WebhookEvent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The tables of docs/reference and docs/concepts are complete, and their examples run. */
class ReferenceTest {
  private final Request<@Nullable String> charge =
      Request.of(new Key("acme", "payments", "order-42"), Codec.text());

  @Test
  void listsEveryEvent() {
    assertThat(firstColumn("docs/reference/events.md", "Events"))
        .isEqualTo(namesOf(EngineEvent.class));
  }

  @Test
  void listsEveryEventOfJobs() {
    assertThat(firstColumn("docs/reference/events.md", "Events of jobs"))
        .isEqualTo(namesOf(JobEvent.class));
  }

  @Test
  void listsEveryEventOfTheInbox() {
    assertThat(firstColumn("docs/reference/events.md", "Events of the inbox"))
        .isEqualTo(namesOf(InboxEvent.class));
  }

  @Test
  void listsEveryEventOfSentWebhooks() {
    assertThat(firstColumn("docs/reference/events.md", "Events of sent webhooks"))
        .isEqualTo(namesOf(WebhookEvent.class));
  }

  @Test
  void listsEveryEventOfConsumers() {
    assertThat(firstColumn("docs/reference/events.md", "Events of consumers"))
        .isEqualTo(namesOf(ConsumerEvent.class));
  }

  @Test
  void namesMeterAndLogLineOfEveryReplayStatus() {
    List<List<String>> rows =
        Repository.page("docs/reference/events.md").rows("Events of HTTP requests");

    assertThat(rows).hasSameSizeAs(ReplayStatus.values());
    for (ReplayStatus status : ReplayStatus.values()) {
      assertThat(rows)
          .anyMatch(
              row ->
                  row.get(0).startsWith("`" + status + "`")
                      && row.get(1).contains("`" + status.meter() + "`")
                      && row.get(2).contains("`" + status.event() + "`"));
    }
  }

  @Test
  void listsEveryResult() {
    assertThat(firstColumn("docs/reference/errors.md", "Results")).isEqualTo(namesOf(Result.class));
  }

  @Test
  void listsEveryException() {
    assertThat(firstColumn("docs/reference/errors.md", "Exceptions"))
        .containsAll(
            Stream.of(
                    StoreException.class,
                    TenantLimitException.class,
                    UnreadableOutcomeException.class,
                    OutcomeUnknownException.class,
                    LeaseLostException.class,
                    NoAnswerException.class,
                    JsonRefusedException.class,
                    JobMismatchException.class)
                .map(it -> "`" + it.getSimpleName() + "`")
                .toList());
  }

  @Test
  void listsEveryReasonToRefuseJson() {
    assertThat(firstColumn("docs/reference/errors.md", "Reasons to refuse JSON"))
        .isEqualTo(
            Stream.of(JsonRefusedException.Reason.values())
                .map(it -> "`" + it.name() + "`")
                .toList());
  }

  @Test
  void listsEveryState() {
    assertThat(firstColumn("docs/concepts/record.md", "States"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of("*(absent)*"),
                    Stream.of(State.values()).map(it -> "`" + it.word() + "`"))
                .toList());
  }

  @Test
  void listsEveryAnswerToAClaim() {
    assertThat(firstColumn("docs/concepts/record.md", "Answers to a claim"))
        .isEqualTo(namesOf(Claim.class));
  }

  @Test
  void countsEvents() {
    // snippet: listener
    Map<String, LongAdder> counters = new ConcurrentHashMap<>();
    OnceListener listener =
        event -> {
          String name = "once_" + event.getClass().getSimpleName();
          counters.computeIfAbsent(name, it -> new LongAdder()).increment();
          if (event instanceof EngineEvent.OutcomeUnknown it) {
            System.err.println(it.key() + " was not recorded, fence " + it.fence());
          }
        };
    Once once = Once.over(new InMemoryRecordStore(), listener);
    // end
    once.run(charge, execution -> "receipt");
    once.run(charge, execution -> "receipt");

    assertThat(counters).containsOnlyKeys("once_Granted", "once_Completed", "once_Replayed");
    once.close();
  }

  @Test
  void tellsWhatHolds() {
    try (Once once = Once.over(new InMemoryRecordStore())) {
      assertThat(pay(once)).isEqualTo("paid: receipt");
      once.run(charge, execution -> "other");
      assertThat(pay(once)).isEqualTo("paid: receipt");
    }
    Once closed = Once.over(new InMemoryRecordStore());
    closed.close();
    assertThatThrownBy(() -> pay(closed)).isInstanceOf(IllegalStateException.class);
  }

  private String pay(Once once) {
    // snippet: catch
    try {
      return "paid: " + once.run(charge, execution -> "receipt").orThrow();
    } catch (NoAnswerException e) {
      return "not now: " + e.result(); // this call did not execute the effect
    } catch (StoreException e) {
      return "not paid, try again"; // the effect did not run
    } catch (OutcomeUnknownException | LeaseLostException e) {
      return "perhaps paid, try again with the same key"; // the outcome is unknown
    }
    // end
  }

  private static List<String> firstColumn(String page, String heading) {
    return Repository.page(page).rows(heading).stream().map(row -> row.get(0)).toList();
  }

  /** The names of all cases; a case that is sealed itself stands for its own. */
  private static List<String> namesOf(Class<?> sealed) {
    return Stream.of(sealed.getPermittedSubclasses())
        .flatMap(
            it -> it.isSealed() ? namesOf(it).stream() : Stream.of("`" + it.getSimpleName() + "`"))
        .toList();
  }
}
