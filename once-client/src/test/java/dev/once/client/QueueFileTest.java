package dev.once.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.json.Fingerprinter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The statements of a queue, its schema, and calls that share a transaction. */
@Timeout(60)
class QueueFileTest {
  private static final Duration LEASE = Duration.ofSeconds(5);

  @TempDir Path folder;
  private final TestServer server = new TestServer();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable it : opened) {
      it.close();
    }
    server.close();
  }

  @Test
  void everyStatementFindsItsRowsByAnIndex() throws Exception {
    QueueFile queue = queue(1 << 30);
    useEverything(queue);

    Set<String> statements = queue.file().statements();
    List<String> plans = new ArrayList<>();
    for (String sql : statements) {
      if (!sql.startsWith("BEGIN") && !sql.startsWith("COMMIT") && !sql.contains("pragma_")) {
        plans.addAll(scans(sql));
      }
    }

    assertThat(statements).hasSizeGreaterThan(25);
    assertThat(plans).isEmpty();
  }

  /** Every kind of change and read, each with what it needs. */
  private void useEverything(QueueFile queue) {
    for (int i = 0; i < 4; i++) {
      queue.enqueuing().enqueue(withOrderingKey("a", "item " + i), false);
    }
    Operation flight = order("flight");
    queue.inserts().enqueue(OperationGroup.named("trip").and(flight, order("undo")));
    queue.inserts().enqueueAfter(flight.id(), order("after"));
    Claim done = claim(queue);
    queue.claims().extend(done, LEASE);
    queue.claims().restartRetention(done, LEASE);
    queue.settlements().done(done, Optional.empty());
    Claim postponed = claim(queue);
    queue.settlements().postpone(postponed, new Postponement(true, true, true, LEASE, "503"));
    queue.settlements().retryNow(postponed.target());
    Claim refused = claim(queue);
    queue.settlements().fail(refused, Advice.CORRECT, "422", Optional.empty(), true);
    queue.changes().resend(refused.operation().id());
    queue.changes().edit(refused.operation(), order("edited"));
    queue.changes().drop(flight.id());
    queue.claims().nextDue(Set.of());
    queue.settlements().park(claim(queue), "401");
    queue.settings().changeCredentials();
    for (OperationState state : OperationState.values()) {
      queue.reader().count(state);
      queue.reader().list(List.of(state), Optional.of(flight.id()), 10);
    }
    queue.reader().find(flight.id());
    queue.reader().state(flight.id());
    queue.reader().hasUnsent();
    queue.successes().hasSucceeded("key");
    queue.ended().purge();
  }

  private static Claim claim(QueueFile queue) {
    return queue.claims().claim(LEASE, "strict", Set.of()).orElseThrow();
  }

  /** Returns the steps of a plan that read all of a table. */
  private List<String> scans(String sql) throws Exception {
    List<String> found = new ArrayList<>();
    try (Connection connection = connection();
        PreparedStatement explain = connection.prepareStatement("EXPLAIN QUERY PLAN " + sql);
        ResultSet steps = explain.executeQuery()) {
      while (steps.next()) {
        String step = steps.getString("detail");
        boolean isOfTable = step.matches("SCAN (operation|success|o|e|c|d)\\b.*");
        // An index that has the rows of one state alone is counted, and asked for the lowest value.
        boolean isOfState =
            step.matches(".* USING (COVERING )?INDEX operation_(ready|sending|compensates).*");
        if (isOfTable && !isOfState) {
          found.add(step + " in " + sql);
        }
      }
    }
    return found;
  }

  @Test
  void theNextOperationIsTheFirstOfAnIndex() throws Exception {
    QueueFile queue = queue(1 << 30);
    queue.enqueuing().enqueue(order("boots"), false);
    claim(queue);

    String next =
        queue.file().statements().stream()
            .filter(it -> it.contains("due_since"))
            .findFirst()
            .orElseThrow();
    List<String> steps = new ArrayList<>();
    try (Connection connection = connection();
        PreparedStatement explain = connection.prepareStatement("EXPLAIN QUERY PLAN " + next);
        ResultSet rows = explain.executeQuery()) {
      while (rows.next()) {
        steps.add(rows.getString("detail"));
      }
    }

    assertThat(steps.stream().filter(it -> it.startsWith("SEARCH o ")))
        .hasSize(3)
        .allMatch(it -> it.contains("operation_ready (waits=? AND target=? AND next_attempt_at"));
    assertThat(steps).noneMatch(it -> it.matches("SCAN (o|e)\\b.*"));
  }

  @Test
  void callersThatShareATransactionGetAnAnswerEach() throws Exception {
    QueueFile queue = queue(256 << 10);
    Operation known = order("known");
    queue.enqueuing().enqueue(known, false);
    List<Callable<String>> calls = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Operation operation =
          switch (i % 4) {
            case 0 -> known.copy().build(); // The same request under another key.
            case 1 -> order("too large " + "x".repeat(1 << 20));
            default -> order("item " + i);
          };
      calls.add(() -> outcome(queue, operation));
    }

    ExecutorService threads = Executors.newFixedThreadPool(calls.size());
    List<String> outcomes = new ArrayList<>();
    for (Future<String> it : threads.invokeAll(calls)) {
      outcomes.add(it.get());
    }
    threads.shutdown();

    for (int i = 0; i < outcomes.size(); i++) {
      assertThat(outcomes.get(i))
          .isEqualTo(
              List.of("DuplicateOperationException", "QueueException", "stored", "stored")
                  .get(i % 4));
    }
    assertThat(queue.reader().count(OperationState.PENDING)).isEqualTo(21);
  }

  private static String outcome(QueueFile queue, Operation operation) {
    try {
      queue.enqueuing().enqueue(operation, false);
      return "stored";
    } catch (RuntimeException e) {
      return e.getClass().getSimpleName();
    }
  }

  @Test
  void anInterruptedCallerStillGetsItsAnswer() throws Exception {
    QueueFile queue = queue(1 << 30);

    Thread.currentThread().interrupt();
    queue.enqueuing().enqueue(order("boots"), false);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(queue.reader().count(OperationState.PENDING)).isEqualTo(1);
  }

  @Test
  void aClosedFileIsReported() {
    QueueFile queue = queue(1 << 30);
    queue.close();

    assertThatThrownBy(() -> queue.enqueuing().enqueue(order("boots"), false))
        .isInstanceOf(QueueException.class);
  }

  @Test
  void theEndOfAnOperationFreesTheNextOfItsOrderingKey() throws Exception {
    QueueFile queue = queue(1 << 30);
    Stream.of("1", "2", "3")
        .forEach(it -> queue.enqueuing().enqueue(withOrderingKey("a", it), false));
    assertThat(waiting()).isEqualTo(2);

    queue.settlements().done(claim(queue), Optional.empty());

    assertThat(waiting()).isEqualTo(1);
    Claim second = claim(queue);
    assertThat(queue.claims().claim(LEASE, "strict", Set.of())).isEmpty();
    queue.settlements().fail(second, Advice.CORRECT, "422", Optional.empty(), true);
    assertThat(queue.claims().claim(LEASE, "strict", Set.of())).isEmpty();
    queue.changes().drop(second.operation().id());
    assertThat(queue.claims().claim(LEASE, "strict", Set.of())).isPresent();
  }

  private long waiting() throws Exception {
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM operation WHERE waits = 1")) {
      return row.getLong(1);
    }
  }

  private QueueFile queue(long maxBytes) {
    QueueFile queue =
        QueueFile.of(
            SqliteFile.open(folder.resolve("queue.db"), 2 * maxBytes),
            maxBytes,
            Duration.ofMinutes(11),
            new QueueCipher(Optional.empty()),
            Fingerprinter.sha256());
    opened.add(queue);
    return queue;
  }

  private Connection connection() throws Exception {
    return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("queue.db"));
  }

  private Operation order(String item) {
    return Operation.post(server.url("/orders")).json("{\"item\":\"" + item + "\"}").build();
  }

  private Operation withOrderingKey(String orderingKey, String item) {
    return Operation.post(server.url("/orders"))
        .json("{\"item\":\"" + item + "\"}")
        .orderingKey(orderingKey)
        .build();
  }
}
