package dev.once.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.UnreadableOutcomeException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
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

/** Who goes alone, who rides together, and what each of them is told. */
class LineTest {
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String CONNECTION_FAILURE = "08006";

  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final Queue<List<String>> trips = new ConcurrentLinkedQueue<>();
  private final CountDownLatch open = new CountDownLatch(1);

  @AfterEach
  void stop() {
    callers.shutdownNow();
  }

  @Test
  void sendsALoneCallAlone() {
    Line<String, String> line = line(LineTest::answersOf);

    assertThat(line.ride("a")).isEqualTo("A");
    assertThat(trips).containsExactly(List.of("a"));
  }

  @Test
  void takesAlongWhoWaitsInTheOrderOfTheKeys() throws Exception {
    Line<String, String> line = line(LineTest::answersOf);
    blockAllLanes(line);

    List<Future<String>> answers = rideWhenAllWait(line, List.of("c", "a", "b"));

    assertThat(answers.get(0).get(10, TimeUnit.SECONDS)).isEqualTo("C");
    assertThat(answers.get(1).get(10, TimeUnit.SECONDS)).isEqualTo("A");
    assertThat(answers.get(2).get(10, TimeUnit.SECONDS)).isEqualTo("B");
    assertThat(trips).contains(List.of("a", "b", "c"));
  }

  @Test
  void takesFirstWhoCameFirst() throws Exception {
    CountDownLatch oneLane = new CountDownLatch(1);
    Line<String, String> line =
        new Line<>(
            item -> item.equals("block 0") ? await(oneLane) : alone(item),
            items -> {
              trips.add(items);
              return answersOf(items);
            },
            it -> new Key("acme", "orders", it));
    blockAllLanes(line);
    List<String> items = IntStream.range(0, 100).mapToObj("item %03d"::formatted).toList();
    for (int i = 0; i < items.size(); i++) {
      String item = items.get(i);
      callers.execute(() -> line.ride(item));
      awaitWaiting(line, i + 1);
    }

    oneLane.countDown();
    while (trips.size() < 2) {
      Thread.onSpinWait();
    }
    open.countDown();

    assertThat(trips)
        .startsWith(
            items.subList(0, Line.MAX_RIDERS), items.subList(Line.MAX_RIDERS, items.size()));
  }

  @Test
  void refusesACallWhenTooManyWait() throws Exception {
    Line<String, String> line =
        new Line<>(this::alone, LineTest::answersOf, it -> new Key("acme", "orders", it), 2);
    blockAllLanes(line);
    callers.execute(() -> line.ride("a"));
    callers.execute(() -> line.ride("b"));
    awaitWaiting(line, 2);

    assertThatThrownBy(() -> line.ride("c"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("more than 2 calls wait");
    open.countDown();
    awaitFreeLanes(line, Line.LANES);
    assertThat(line.ride("c")).isEqualTo("C");
  }

  @Test
  void letsEachGoAloneWhenTheDatabaseUndidTheirTrip() throws Exception {
    Line<String, String> line = line(items -> fail(UNIQUE_VIOLATION));
    blockAllLanes(line);

    List<Future<String>> answers = rideWhenAllWait(line, List.of("a", "b"));

    assertThat(answers.get(0).get(10, TimeUnit.SECONDS)).isEqualTo("A");
    assertThat(answers.get(1).get(10, TimeUnit.SECONDS)).isEqualTo("B");
    assertThat(trips).contains(List.of("a"), List.of("b"));
  }

  @Test
  void tellsEachThatNobodyKnowsWhetherTheirTripWasMade() throws Exception {
    Line<String, String> line = line(items -> fail(CONNECTION_FAILURE));
    blockAllLanes(line);

    List<Future<String>> answers = rideWhenAllWait(line, List.of("a", "b"));

    for (Future<String> answer : answers) {
      assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StoreException.class);
    }
    assertThat(trips).doesNotContain(List.of("a"), List.of("b"));
  }

  @Test
  void keepsOneThatCannotBeReadFromTheOthers() throws Exception {
    Line<String, String> line =
        line(items -> List.of(LineTest::unreadable, () -> "second", () -> "third"));
    blockAllLanes(line);

    List<Future<String>> answers = rideWhenAllWait(line, List.of("a", "b", "c"));

    assertThatThrownBy(() -> answers.get(0).get(10, TimeUnit.SECONDS))
        .hasMessageContaining("unreadable");
    assertThat(answers.get(1).get(10, TimeUnit.SECONDS)).isEqualTo("second");
    assertThat(answers.get(2).get(10, TimeUnit.SECONDS)).isEqualTo("third");
  }

  @Test
  void keepsAnInterruptForAfterTheAnswer() throws Exception {
    Line<String, String> line = line(LineTest::answersOf);
    blockAllLanes(line);
    List<Thread> riding = new ArrayList<>();
    Future<Boolean> interrupted =
        callers.submit(
            () -> {
              synchronized (riding) {
                riding.add(Thread.currentThread());
              }
              assertThat(line.ride("a")).isEqualTo("A");
              return Thread.interrupted();
            });
    awaitWaiting(line, 1);

    synchronized (riding) {
      riding.get(0).interrupt();
    }
    open.countDown();

    assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
  }

  /** One that did would keep a virtual thread that has its answer off the processor for ever. */
  @Test
  void waitsForAnAnswerThatIsOnItsWayWithoutBeingBusy() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    Line<String, String> line = line(items -> answersAfter(arrived, items));
    blockAllLanes(line);
    Future<String> driver = callers.submit(() -> line.ride("a"));
    awaitWaiting(line, 1);
    CompletableFuture<Thread> carried = new CompletableFuture<>();
    Future<String> answer =
        callers.submit(
            () -> {
              carried.complete(Thread.currentThread());
              return line.ride("b");
            });
    awaitWaiting(line, 2);
    open.countDown();
    awaitFreeLanes(line, Line.LANES - 1);

    carried.get().interrupt(); // It looks around, and finds free lanes and nobody to take along.

    awaitParked(carried.get());
    arrived.countDown();
    assertThat(driver.get(10, TimeUnit.SECONDS)).isEqualTo("A");
    assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo("B");
  }

  @Test
  void givesEveryOneOfManyCallersItsOwnAnswer() throws Exception {
    open.countDown();
    Line<String, String> line = line(LineTest::answersOf);
    List<Future<Integer>> done = new ArrayList<>();
    for (int caller = 0; caller < 32; caller++) {
      String name = "caller " + caller + " call ";
      done.add(callers.submit(() -> countRightAnswers(line, name)));
    }

    for (Future<Integer> right : done) {
      assertThat(right.get(60, TimeUnit.SECONDS)).isEqualTo(2000);
    }
    assertThat(trips.stream().mapToInt(List::size).sum()).isEqualTo(32 * 2000);
    assertThat(trips).anyMatch(trip -> trip.size() > 1).allMatch(trip -> trip.size() <= 64);
  }

  /** Some are driven by others, alone or together: it must not change what they are told. */
  @Test
  void tellsEveryOneThatItsOutcomeCannotBeRead() throws Exception {
    Line<String, String> line =
        new Line<>(
            LineTest::unreadableOutcome,
            items ->
                items.stream().<Supplier<String>>map(it -> () -> unreadableOutcome(it)).toList(),
            item -> new Key("tenant", "scope", item));
    List<Future<Integer>> done = new ArrayList<>();
    for (int caller = 0; caller < 8; caller++) {
      String name = "caller " + caller;
      done.add(callers.submit(() -> countUnreadable(line, name)));
    }

    for (Future<Integer> unreadable : done) {
      assertThat(unreadable.get(60, TimeUnit.SECONDS)).isEqualTo(5000);
    }
  }

  private static int countUnreadable(Line<String, String> line, String name) {
    int unreadable = 0;
    for (int call = 0; call < 5000; call++) {
      try {
        line.ride(name);
      } catch (UnreadableOutcomeException e) {
        unreadable++;
      } catch (StoreException e) {
        // Would be taken for a store that is away.
      }
    }
    return unreadable;
  }

  private static String unreadableOutcome(String item) {
    throw new UnreadableOutcomeException(
        new Key("tenant", "scope", item), null, "its bytes are damaged", null);
  }

  private static int countRightAnswers(Line<String, String> line, String name) {
    int right = 0;
    for (int call = 0; call < 2000; call++) {
      right += line.ride(name + call).equals((name + call).toUpperCase(Locale.ROOT)) ? 1 : 0;
    }
    return right;
  }

  private String alone(String item) {
    if (item.startsWith("block")) {
      awaitOpen();
    }
    trips.add(List.of(item));
    return item.toUpperCase(Locale.ROOT);
  }

  private Line<String, String> line(Function<List<String>, List<Supplier<String>>> together) {
    return new Line<>(
        this::alone,
        items -> {
          trips.add(items);
          return together.apply(items);
        },
        item -> new Key("tenant", "scope", item));
  }

  private static List<Supplier<String>> answersOf(List<String> items) {
    List<Supplier<String>> answers = new ArrayList<>();
    items.forEach(item -> answers.add(() -> item.toUpperCase(Locale.ROOT)));
    return answers;
  }

  private static List<Supplier<String>> answersAfter(CountDownLatch latch, List<String> items) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return answersOf(items);
  }

  private static List<Supplier<String>> fail(String sqlState) {
    throw new StoreException("failed", new SQLException("no", sqlState));
  }

  private static String unreadable() {
    throw new StoreException("unreadable", null);
  }

  /** Fills every lane, one after the other, so that each of these goes alone. */
  private void blockAllLanes(Line<String, String> line) throws InterruptedException {
    for (int lane = 0; lane < Line.LANES; lane++) {
      String item = "block " + lane;
      callers.execute(() -> line.ride(item));
      while (line.freeLanes() != Line.LANES - 1 - lane || line.waiting() > 0) {
        Thread.onSpinWait();
      }
    }
  }

  private List<Future<String>> rideWhenAllWait(Line<String, String> line, List<String> items) {
    List<Future<String>> answers = new ArrayList<>();
    for (String item : items) {
      answers.add(callers.submit(() -> line.ride(item)));
      awaitWaiting(line, answers.size());
    }
    open.countDown();
    return answers;
  }

  private static void awaitWaiting(Line<String, String> line, int count) {
    while (line.waiting() < count) {
      Thread.onSpinWait();
    }
  }

  private static void awaitFreeLanes(Line<String, String> line, int count) {
    while (line.waiting() > 0 || line.freeLanes() != count) {
      Thread.onSpinWait();
    }
  }

  private static void awaitParked(Thread thread) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (thread.isInterrupted() || thread.getState() != Thread.State.WAITING) {
      assertThat(System.nanoTime() - deadline).as("%s is busy", thread).isNegative();
      Thread.onSpinWait();
    }
  }

  private void awaitOpen() {
    await(open);
  }

  private static String await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
      return "";
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
