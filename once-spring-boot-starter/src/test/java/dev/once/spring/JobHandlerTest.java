package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.jobs.JobException;
import dev.once.jobs.JobMismatchException;
import dev.once.jobs.Jobs;
import dev.once.spring.JobShop.Desk;
import dev.once.spring.JobShop.Handlers;
import dev.once.spring.JobShop.Seen;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs that services enqueue in their transactions, and methods that run them. */
@Timeout(60)
class JobHandlerTest {
  private static App app;
  private static Desk desk;
  private static Handlers handlers;

  @BeforeAll
  static void start() {
    app = App.start(JobShop.class);
    desk = app.bean(Desk.class);
    handlers = app.bean(Handlers.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @BeforeEach
  void forget() {
    handlers.seen.clear();
  }

  @Test
  void runsAJobOnceAfterItsTransactionIsCommitted() throws Exception {
    desk.take(JobShop.place("boots"));
    app.awaitJob("boots", "done");
    desk.take(JobShop.place("boots"));

    assertThat(app.orders("boots")).isEqualTo(1);
    assertThat(seen().isInTransaction()).isTrue();
    assertThat(handlers.seen).isEmpty();
  }

  @Test
  void hasNoJobWhoseTransactionIsRolledBack() {
    assertThatThrownBy(() -> desk.takeAndFail(JobShop.place("gloves")))
        .isInstanceOf(IllegalStateException.class);

    assertThat(app.job("gloves")).isEmpty();
    assertThat(app.orders("gloves")).isZero();
  }

  @Test
  void enqueuesOutsideOfTransactionsToo() {
    app.bean(Jobs.class).enqueue(JobShop.place("socks"));

    app.awaitJob("socks", "done");
    assertThat(app.orders("socks")).isEqualTo(1);
  }

  @Test
  void undoesWhatAFailedTryWroteAndTriesAgain() throws Exception {
    handlers.afterwards.put(
        "hat",
        run -> {
          if (run.attempt() == 1) {
            throw new JobException.Retry("not yet", Duration.ZERO);
          }
        });
    desk.take(JobShop.place("hat"));
    app.awaitJob("hat", "done");

    // The item is unique: had the first write stayed, the second would have failed.
    assertThat(app.orders("hat")).isEqualTo(1);
    assertThat(seen().attempt()).isEqualTo(1);
    assertThat(seen().attempt()).isEqualTo(2);
  }

  @Test
  void undoesWhatATryWroteThatWasMarkedToBeRolledBack() {
    handlers.afterwards.put(
        "cap",
        run -> {
          if (run.attempt() == 1) {
            app.bean(OrderService.class).placeAndRollBack("cap of " + run.id());
          }
        });
    desk.take(JobShop.place("cap"));
    app.awaitJob("cap", "done");

    assertThat(app.orders("cap")).isEqualTo(1);
  }

  @Test
  void letsAHandlerSayWhatShallBecomeOfItsJob() throws Exception {
    handlers.afterwards.put(
        "fur",
        run -> {
          throw new JobException.GiveUp("not sold here");
        });
    desk.take(JobShop.place("fur"));
    app.awaitJob("fur", "dead");

    assertThat(seen().attempt()).isEqualTo(1);
    assertThat(handlers.seen).isEmpty();
    assertThat(app.reason("fur")).contains("not sold here");
    assertThat(app.orders("fur")).isZero();
  }

  @Test
  void runsALeasedHandlerThroughTheEngine() throws Exception {
    desk.take(JobShop.confirm("scarf"));
    app.awaitJob("scarf", "done");

    assertThat(seen().isInTransaction()).isFalse();
    assertThat(app.scopeOf("confirm:scarf")).isEqualTo("job:mail");
  }

  // A24
  @Test
  void carriesTheIdsOfTheRequestIntoTheHandlerAndItsLog() throws Exception {
    Api api = app.api();
    api.send(
        api.request("POST", "/shops/1/orders/later", Api.wish("coat"))
            .header("Idempotency-Key", "k-coat")
            .header("X-Request-ID", "r-1")
            .header("X-Correlation-ID", "c-1"));
    Seen seen = seen();

    assertThat(seen.correlation().toText()).isEqualTo("X-Request-ID: r-1\nX-Correlation-ID: c-1\n");
    assertThat(seen.logged())
        .containsEntry("request_id", "r-1")
        .containsEntry("correlation_id", "c-1")
        .containsEntry("tenant", "acme")
        .containsEntry("key_hash", JobShop.place("coat").key().toKey().shortHash())
        .containsKey("job_id")
        .hasSize(5);
  }

  @Test
  void givesUpAPayloadThatIsNotWhatTheHandlerTakesAndDoesNotQuoteIt() {
    desk.take(JobShop.place("vest").withText("{\"item\":secret}"));
    app.awaitJob("vest", "dead");

    assertThat(app.reason("vest")).contains("Wish").doesNotContain("secret");
  }

  @Test
  void refusesAnotherJobUnderTheSameKey() {
    desk.take(JobShop.confirm("belt"));

    assertThatThrownBy(() -> desk.take(JobShop.confirm("belt").withText("other")))
        .isInstanceOf(JobMismatchException.class);
  }

  private static Seen seen() throws InterruptedException {
    Seen next = handlers.seen.poll(10, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }
}
