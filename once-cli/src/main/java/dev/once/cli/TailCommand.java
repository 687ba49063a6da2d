package dev.once.cli;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventLog;
import dev.once.events.EventStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once events tail}: prints the log in its order. */
@Command(name = "tail")
final class TailCommand implements Callable<Integer> {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
  private static final int PAGE = 200;

  private final Session session;

  @Mixin private final StoreOptions stores = new StoreOptions();
  @Mixin private final AggregateOption aggregates = new AggregateOption();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--follow")
  private boolean follow;

  @Option(names = "--after")
  private String after = EventLog.START;

  @Option(names = "--limit")
  private long limit = Long.MAX_VALUE;

  @Option(names = "--data")
  private boolean data;

  TailCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (limit < 1) {
      throw new Misuse("--limit must be 1 or more, got " + limit);
    }
    try (OpenStore opened = stores.open(session)) {
      EventStore store = opened.store();
      Reader reader =
          aggregates
              .aggregate()
              .<Reader>map(it -> new AggregateReader(store, it))
              .orElseGet(() -> store.log()::read);
      return tail(reader);
    }
  }

  /** Reads to the end, or until it is interrupted, and always says where to go on. */
  private int tail(Reader reader) throws InterruptedException {
    EventPrinter printer = new EventPrinter(session, output, data);
    String position = after;
    long printed = 0;
    try {
      while (printed < limit && !Thread.currentThread().isInterrupted()) {
        EventLog.Page page = reader.read(position, (int) Math.min(PAGE, limit - printed));
        page.events().forEach(printer::print);
        printed += page.events().size();
        position = page.next();
        if (page.isLast() && !follow) {
          break;
        }
        if (page.events().isEmpty()) {
          Thread.sleep(POLL_INTERVAL.toMillis());
        }
      }
    } finally {
      String next = position;
      output.print(session, () -> "next: " + next, () -> new JsonLine().put("next", next));
    }
    return Thread.interrupted() ? Cli.INTERRUPTED : 0;
  }

  /** A part of the store that is read page by page. */
  @FunctionalInterface
  private interface Reader {
    EventLog.Page read(String after, int limit);
  }

  /** The events of one aggregate; a position is a sequence. */
  private record AggregateReader(EventStore store, Aggregate aggregate) implements Reader {
    @Override
    public EventLog.Page read(String after, int limit) {
      long sequence = sequence(after);
      List<Event> events = store.read(aggregate, sequence, limit);
      long last = events.isEmpty() ? sequence : events.get(events.size() - 1).sequence();
      return new EventLog.Page(events, last == 0 ? after : String.valueOf(last));
    }

    private static long sequence(String after) {
      try {
        return after.equals(EventLog.START) ? 0 : Long.parseLong(after);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "with --aggregate, --after must be a sequence, got " + after, e);
      }
    }
  }
}
