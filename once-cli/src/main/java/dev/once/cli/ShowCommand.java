package dev.once.cli;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventStore;
import dev.once.events.ProcessedEvent;
import dev.once.events.ProcessedEvents;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./once events show}: prints an event or an aggregate, and what became of it. */
@Command(name = "show")
final class ShowCommand implements Callable<Integer> {
  private static final int PAGE = 200;

  private final Session session;

  @Mixin private final StoreOptions stores = new StoreOptions();
  @Mixin private final AggregateOption aggregates = new AggregateOption();
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(arity = "0..1")
  private @Nullable String eventId;

  @Option(names = "--data")
  private boolean data;

  ShowCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Optional<Aggregate> aggregate = aggregates.aggregate();
    if (aggregate.isPresent() == (eventId != null)) {
      throw new Misuse("name one of both: an event by its id, or --aggregate <type>/<id>");
    }
    try (OpenStore opened = stores.openWithDatabase(session)) {
      if (eventId != null) {
        showEvent(opened, eventId);
      } else {
        showAggregate(opened, aggregate.orElseThrow());
      }
      return 0;
    }
  }

  private void showEvent(OpenStore opened, String id) {
    Event event =
        opened
            .store()
            .find(id)
            .orElseThrow(
                () ->
                    new CommandException(
                        "the log has no event %s: check its id and --source"
                            .formatted(Text.printable(id))));
    printer().print(event);
    List<ProcessedEvent> processed = opened.registry().find(id);
    processed.forEach(it -> output.print(session, () -> text(it), () -> json(it)));
    if (processed.isEmpty() && !output.isJson()) {
      session.print("no handler has claimed it");
    }
  }

  private void showAggregate(OpenStore opened, Aggregate aggregate) {
    EventStore store = opened.store();
    long last = 0;
    List<Event> page = store.read(aggregate, last, PAGE);
    while (!page.isEmpty()) {
      page.forEach(printer()::print);
      last = page.get(page.size() - 1).sequence();
      page = store.read(aggregate, last, PAGE);
    }
    if (last == 0) {
      throw new CommandException(
          "the log has no events of aggregate %s/%s: check --aggregate and --source"
              .formatted(Text.printable(aggregate.type()), Text.printable(aggregate.id())));
    }
    printSequence("log", last);
    ProcessedEvents registry = opened.registry();
    registry.lastSequences(aggregate).forEach(this::printSequence);
  }

  private void printSequence(String handler, long sequence) {
    output.print(
        session,
        () -> handler + " last_sequence=" + sequence,
        () -> new JsonLine().put("handler", handler).put("last_sequence", sequence));
  }

  private EventPrinter printer() {
    return new EventPrinter(session, output, data);
  }

  private static String text(ProcessedEvent it) {
    return "%s state=%s attempts=%d owner=%s fence=%d started=%s finished=%s error=%s"
        .formatted(
            it.handler(),
            state(it),
            it.attempts(),
            Text.printable(it.owner()),
            it.fence(),
            it.startedAt(),
            it.finishedAt().map(Instant::toString).orElse("-"),
            it.error().map(Text::printable).orElse("-"));
  }

  private static JsonLine json(ProcessedEvent it) {
    return new JsonLine()
        .put("handler", it.handler())
        .put("state", state(it))
        .put("attempts", it.attempts())
        .put("owner", it.owner())
        .put("fence", it.fence())
        .put("started_at", it.startedAt())
        .put("finished_at", it.finishedAt())
        .put("given_up_at", it.givenUpAt())
        .put("error", it.error());
  }

  static String state(ProcessedEvent event) {
    return event.state().name().toLowerCase(Locale.ROOT);
  }
}
