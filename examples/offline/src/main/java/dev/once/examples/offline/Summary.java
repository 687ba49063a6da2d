package dev.once.examples.offline;

import static java.util.stream.Collectors.toSet;

import dev.once.client.OfflineQueue;
import dev.once.client.OnceHttpClient;
import dev.once.client.OperationState;
import dev.once.client.QueuedOperation;
import dev.once.client.RetryRules;
import dev.once.http.ReplayStatus;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * What came of a run: the operations in the queues of both phones, compared with the rooms in the
 * server's database.
 *
 * @param text a table
 * @param isRight whether each operation took effect once, and nothing else did
 */
record Summary(String text, boolean isRight) {

  /** Reads the queues, whose apps have ended, and the database. */
  static Summary of(List<Phone> phones, RoomServer server, RoomDatabase database, double seconds)
      throws SQLException {
    List<List<QueuedOperation>> queues = phones.stream().map(it -> read(it.queue())).toList();
    Set<String> keys = new HashSet<>();
    List<String> wrong = new ArrayList<>();
    for (List<QueuedOperation> queue : queues) {
      for (QueuedOperation it : queue) {
        keys.add(it.operation().key());
        if (it.state() != OperationState.DONE) {
          wrong.add("operation " + it.id() + " is " + it.state().name().toLowerCase(Locale.ROOT));
        }
      }
    }
    for (int i = 0; i < phones.size(); i++) {
      Set<String> ids = queues.get(i).stream().map(QueuedOperation::id).collect(toSet());
      phones.get(i).model().operations().stream()
          .filter(it -> !ids.contains(it.id()))
          .forEach(it -> wrong.add("operation " + it.id() + " was lost from its queue"));
    }
    Map<String, Integer> rooms = database.roomsByKey();
    int once = 0;
    for (String key : keys) {
      int count = rooms.getOrDefault(key, 0);
      once += count == 1 ? 1 : 0;
      if (count != 1) {
        wrong.add("key " + key + " has " + count + " rooms");
      }
    }
    rooms.keySet().stream()
        .filter(it -> !keys.contains(it))
        .forEach(it -> wrong.add("key " + it + " has a room, and is in no queue"));
    Table table = new Table(phones);
    table.row("operations", queues.get(0).size(), queues.get(1).size(), keys.size());
    table.row("requests", it -> it.model().requests());
    table.row("retries", it -> it.model().retries());
    table.row("replays", it -> it.model().replays());
    table.row("app killed", Phone::kills);
    table.line(
        "%nserver: %d requests answered, %d executed, %d replayed, %d told to wait"
            .formatted(
                server.requests(),
                server.answered(ReplayStatus.MISS),
                server.answered(ReplayStatus.HIT),
                server.answered(ReplayStatus.IN_PROGRESS)));
    table.line(
        "rooms in the database: %d for %d operations"
            .formatted(rooms.values().stream().mapToInt(it -> it).sum(), keys.size()));
    wrong.forEach(table::line);
    table.line(
        String.format(
            Locale.ROOT,
            "%s: %d of %d operations applied once, in %.0f s",
            wrong.isEmpty() ? "right" : "WRONG",
            once,
            keys.size(),
            seconds));
    return new Summary(table.text(), wrong.isEmpty());
  }

  private static List<QueuedOperation> read(Path file) {
    OnceHttpClient unused = OnceHttpClient.of(RetryRules.mobile());
    try (OfflineQueue queue = OfflineQueue.builder(file, unused).concurrency(1).paused().open()) {
      return queue.list();
    }
  }

  /** A column per phone, and one for both. */
  private record Table(List<Phone> phones, StringBuilder out) {
    Table(List<Phone> phones) {
      this(phones, new StringBuilder());
      line("%-14s %8s %8s %8s".formatted("", "phone 1", "phone 2", "both"));
    }

    void row(String name, ToIntFunction<Phone> value) {
      int first = value.applyAsInt(phones.get(0));
      int second = value.applyAsInt(phones.get(1));
      row(name, first, second, first + second);
    }

    void row(String name, int first, int second, int both) {
      line("%-14s %8d %8d %8d".formatted(name, first, second, both));
    }

    void line(String line) {
      out.append(line).append('\n');
    }

    String text() {
      return out.toString();
    }
  }
}
