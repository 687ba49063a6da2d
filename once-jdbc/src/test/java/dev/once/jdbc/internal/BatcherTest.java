package dev.once.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which calls are sent together, by which thread, and which answer each of them gets. */
@Timeout(30)
class BatcherTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final String CHECK_VIOLATION = "23514";
  private static final String CONNECTION_FAILURE = "08006";

  /** What the driver reports when it has no memory for the answer. */
  private static final String OUT_OF_MEMORY = "53200";

  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final Queue<List<String>> sent = new ConcurrentLinkedQueue<>();
  private final Queue<Thread> senders = new ConcurrentLinkedQueue<>();
  private final Queue<CountDownLatch> gates = new ConcurrentLinkedQueue<>();
  private final CountDownLatch open = new CountDownLatch(1);

  @AfterEach
  void stop() {
    open.countDown();
    callers.shutdownNow();
  }

  @Test
  void sendsACallByItselfWhenThereIsNoOther() {
    Batcher<String, String> batcher = batcher(BatcherTest::answersOf);

    assertThat(batcher.submit("a")).isEqualTo("A");
    assertThat(sent).containsExactly(List.of("a"));
  }

  @Test
  void sendsCallsThatWaitTogether() throws Exception {
    Batcher<String, String> batcher = batcher(BatcherTest::answersOf);
    blockWorker(batcher);

    List<Future<String>> answers = submitWhenAllWait(batcher, List.of("c", "a", "b"));

    assertThat(answerOf(answers.get(0))).isEqualTo("C");
    assertThat(answerOf(answers.get(1))).isEqualTo("A");
    assertThat(answerOf(answers.get(2))).isEqualTo("B");
    assertThat(sent).contains(List.of("c", "a", "b"));
  }

  @Test
  void sendsOnThreadsOfItsOwn() throws Exception {
    Batcher<String, String> batcher = batcher(BatcherTest::answersOf);
    blockWorker(batcher);
    for (Future<String> answer : submitWhenAllWait(batcher, List.of("a", "b"))) {
      answerOf(answer);
    }

    assertThat(senders).allMatch(it -> it.getName().startsWith("once-store-"));
  }

  @Test
  void bringsASecondWorkerWhenManyWait() throws Exception {
    Batcher<String, String> batcher = batcher(BatcherTest::answersOf);
    blockWorker(batcher);

    List<Future<String>> answers = submit(batcher, names(Batcher.SECOND_WORKER_FROM));

    for (Future<String> answer : answers) {
      answerOf(answer);
    }
  }

  @Test
  void boundsABatchByItsBytes() throws Exception {
    Batcher<String, String> batcher =
        new Batcher<>(
            threads(PATIENCE),
            this::single,
            recording(BatcherTest::answersOf),
            item -> Batcher.MAX_BATCH_BYTES / 2);
    blockWorker(batcher);

    for (Future<String> answer : submitWhenAllWait(batcher, List.of("a", "b", "c", "d"))) {
      answerOf(answer);
    }

    assertThat(sent).contains(List.of("a", "b"), List.of("c", "d"));
  }

  @Test
  void refusesACallWhenTooManyWait() throws Exception {
    Batcher<String, String> batcher =
        new Batcher<>(threads(PATIENCE), this::single, BatcherTest::answersOf, item -> 1, 2);
    blockWorker(batcher);
    submit(batcher, List.of("a", "b"));
    awaitWaiting(batcher, 2);

    assertThatThrownBy(() -> batcher.submit("c"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("more than 2 calls wait");
  }

  @Test
  void withdrawsACallThatWaitsTooLong() throws Exception {
    Batcher<String, String> batcher = batcher(SHORT, BatcherTest::answersOf);
    blockWorker(batcher);

    assertThatThrownBy(() -> batcher.submit("late"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage("waited for a connection to the database for PT0.1S");

    open.countDown();
    assertThat(batcher.submit("next")).isEqualTo("NEXT");
    assertThat(sent.stream().flatMap(List::stream)).doesNotContain("late");
  }

  /** One dead connection must not stop the others. */
  @Test
  void replacesAWorkerThatGetsNoAnswer() throws Exception {
    Batcher<String, String> batcher = batcher(SHORT, BatcherTest::answersOf);
    Future<String> stuck = blockWorker(batcher, open);

    assertThatThrownBy(() -> answerOf(stuck))
        .hasCauseInstanceOf(StoreException.class)
        .hasMessageContaining("no answer from the database");
    assertThat(batcher.submit("next")).isEqualTo("NEXT");
  }

  @Test
  void sendsEachCallByItselfWhenTheDatabaseUndidTheirBatch() throws Exception {
    Batcher<String, String> batcher = batcher(items -> fail(CHECK_VIOLATION));
    blockWorker(batcher);

    List<Future<String>> answers = submitWhenAllWait(batcher, List.of("a", "b"));

    assertThat(answerOf(answers.get(0))).isEqualTo("A");
    assertThat(answerOf(answers.get(1))).isEqualTo("B");
    assertThat(sent).contains(List.of("a"), List.of("b"));
  }

  @Test
  void tellsEachCallThatNothingIsKnownOfALostBatch() throws Exception {
    for (String state : List.of(CONNECTION_FAILURE, OUT_OF_MEMORY)) {
      Batcher<String, String> batcher = batcher(items -> fail(state));
      sent.clear();
      CountDownLatch gate = new CountDownLatch(1);
      var unused = blockWorker(batcher, gate);
      List<Future<String>> answers = submit(batcher, List.of("a", "b"));
      awaitWaiting(batcher, 2);
      gate.countDown();

      for (Future<String> answer : answers) {
        assertThatThrownBy(() -> answerOf(answer))
            .cause()
            .isInstanceOf(StoreException.class)
            .isNotInstanceOf(StoreUnavailableException.class);
      }
      assertThat(sent).doesNotContain(List.of("a"), List.of("b"));
    }
  }

  @Test
  void keepsAnAnswerThatCannotBeReadFromTheOthers() throws Exception {
    Batcher<String, String> batcher =
        batcher(items -> List.of(BatcherTest::unreadable, () -> "second", () -> "third"));
    blockWorker(batcher);

    List<Future<String>> answers = submitWhenAllWait(batcher, List.of("a", "b", "c"));

    assertThatThrownBy(() -> answerOf(answers.get(0))).hasMessageContaining("unreadable");
    assertThat(answerOf(answers.get(1))).isEqualTo("second");
    assertThat(answerOf(answers.get(2))).isEqualTo("third");
  }

  /** Memory may run out anywhere: in the driver, or where answers are made of rows. */
  @Test
  void survivesAnErrorOfABatch() throws Exception {
    Batcher<String, String> batcher =
        batcher(
            items -> {
              throw new OutOfMemoryError("planned");
            });
    blockWorker(batcher);

    for (Future<String> answer : submitWhenAllWait(batcher, List.of("a", "b"))) {
      assertThatThrownBy(() -> answerOf(answer)).hasCauseInstanceOf(StoreException.class);
    }
    assertThat(batcher.submit("next")).isEqualTo("NEXT");
  }

  @Test
  void keepsAnInterruptForAfterTheAnswer() throws Exception {
    Batcher<String, String> batcher = batcher(BatcherTest::answersOf);
    blockWorker(batcher);
    CountDownLatch running = new CountDownLatch(1);
    Thread[] caller = new Thread[1];
    Future<Boolean> interrupted =
        callers.submit(
            () -> {
              caller[0] = Thread.currentThread();
              running.countDown();
              assertThat(batcher.submit("a")).isEqualTo("A");
              return Thread.interrupted();
            });
    running.await();
    awaitWaiting(batcher, 1);
    for (int i = 0; i < 100; i++) {
      caller[0].interrupt();
    }

    open.countDown();

    assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
  }

  private Batcher<String, String> batcher(Function<List<String>, List<Supplier<String>>> batch) {
    return batcher(PATIENCE, batch);
  }

  private Batcher<String, String> batcher(
      Duration timeout, Function<List<String>, List<Supplier<String>>> batch) {
    return new Batcher<>(threads(timeout), this::single, recording(batch), item -> 1);
  }

  private static StoreThreads threads(Duration timeout) {
    return StoreThreads.withoutDirectCalls(timeout);
  }

  private Function<List<String>, List<Supplier<String>>> recording(
      Function<List<String>, List<Supplier<String>>> batch) {
    return items -> {
      sent.add(items);
      senders.add(Thread.currentThread());
      return batch.apply(items);
    };
  }

  private String single(String item) {
    senders.add(Thread.currentThread());
    if (item.equals("block")) {
      await(gates.remove());
    } else {
      sent.add(List.of(item));
    }
    return item.toUpperCase(Locale.ROOT);
  }

  private void blockWorker(Batcher<String, String> batcher) throws Exception {
    var unused = blockWorker(batcher, open);
  }

  private Future<String> blockWorker(Batcher<String, String> batcher, CountDownLatch gate)
      throws Exception {
    gates.add(gate);
    int before = senders.size();
    Future<String> blocked = callers.submit(() -> batcher.submit("block"));
    while (senders.size() == before) {
      Thread.onSpinWait();
    }
    return blocked;
  }

  private List<Future<String>> submit(Batcher<String, String> batcher, List<String> items)
      throws InterruptedException {
    List<Future<String>> answers = new ArrayList<>();
    for (String item : items) {
      int before = batcher.waiting();
      answers.add(callers.submit(() -> batcher.submit(item)));
      while (batcher.waiting() == before && batcher.workers() < Batcher.MAX_WORKERS) {
        Thread.onSpinWait();
      }
    }
    return answers;
  }

  private List<Future<String>> submitWhenAllWait(
      Batcher<String, String> batcher, List<String> items) throws InterruptedException {
    List<Future<String>> answers = submit(batcher, items);
    awaitWaiting(batcher, items.size());
    open.countDown();
    return answers;
  }

  private static void awaitWaiting(Batcher<String, String> batcher, int calls) {
    while (batcher.waiting() < calls) {
      Thread.onSpinWait();
    }
  }

  private static String answerOf(Future<String> answer) throws Exception {
    return answer.get(10, TimeUnit.SECONDS);
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj("item %d"::formatted).toList();
  }

  private static List<Supplier<String>> answersOf(List<String> items) {
    return items.stream()
        .<Supplier<String>>map(item -> () -> item.toUpperCase(Locale.ROOT))
        .toList();
  }

  private static List<Supplier<String>> fail(String state) {
    SQLException cause = new SQLException("planned", state);
    throw SqlStates.isUndone(cause)
        ? new StoreUnavailableException("planned", cause)
        : new StoreException("planned", cause);
  }

  private static String unreadable() {
    throw new IllegalStateException("unreadable");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
