package dev.once.cli;

import dev.once.events.Event;
import dev.once.events.EventStore;
import dev.once.events.ProcessedEvent;
import dev.once.events.ProcessedEvents;
import dev.once.events.ProcessedState;
import dev.once.kafka.KafkaRedelivery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ./once events redrive}: lets a handler handle events that it gave up. They become
 * claimable in the registry, and are then published again, because the relay publishes each event
 * once.
 */
@Command(name = "redrive")
final class RedriveCommand implements Callable<Integer> {
  /** A page is in memory, and published together. */
  private static final int PAGE = 100;

  private static final int MAX_BLOCK_MILLIS = 10_000;

  private final Session session;

  @Mixin private final StoreOptions stores = new StoreOptions();
  @Mixin private final KafkaOptions kafka = new KafkaOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--handler")
  private @Nullable String handler;

  @ArgGroup(multiplicity = "1")
  private Selection selection = new Selection();

  @Option(names = "--limit")
  private int limit = 10_000;

  @Option(names = "--dry-run")
  private boolean dryRun;

  RedriveCommand(Session session) {
    this.session = session;
  }

  /** Which events are redriven. */
  private static final class Selection {
    @Option(names = "--event")
    private @Nullable String eventId;

    @Option(names = "--dead")
    private boolean dead;

    @Option(names = "--skipped")
    private boolean skipped;

    ProcessedState state() {
      if (dead == skipped) {
        throw new AssertionError("one of both is chosen");
      }
      return dead ? ProcessedState.DEAD : ProcessedState.SKIPPED;
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    String name = Variables.require("--handler", handler);
    if (limit < 1) {
      throw new Misuse("--limit must be 1 or more, got " + limit);
    }
    Function<Event, String> topics = kafka.topics();
    try (OpenStore opened = stores.openWithDatabase(session)) {
      ProcessedEvents registry = opened.registry();
      requireKnown(registry, name);
      RedriveReport report = new RedriveReport(session, output);
      Pages pages = new Pages(registry, opened.store(), topics, report);
      if (dryRun) {
        select(pages, name, page -> page.forEach(it -> report.accepted("would_redrive", it)));
      } else {
        try (KafkaRedelivery redelivery = new KafkaRedelivery(config(), topics)) {
          select(pages, name, new Redrive(registry, redelivery, report));
        }
      }
      return report.finish(dryRun);
    }
  }

  /** Where events are found. */
  private record Pages(
      ProcessedEvents registry,
      EventStore store,
      Function<Event, String> topics,
      RedriveReport report) {
    List<RedriveTarget> targets(List<ProcessedEvent> page) {
      List<RedriveTarget> targets = new ArrayList<>();
      for (ProcessedEvent processed : page) {
        Optional<Event> event = store.find(processed.eventId());
        if (event.isEmpty()) {
          report.refused("not_in_log", processed);
        } else {
          targets.add(new RedriveTarget(processed, event.get(), topics.apply(event.get())));
        }
      }
      return targets;
    }
  }

  private Map<String, Object> config() throws InterruptedException {
    Map<String, Object> config = new HashMap<>(kafka.config());
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
    return config;
  }

  private static void requireKnown(ProcessedEvents registry, String handler) {
    List<String> known = registry.handlers();
    if (!known.contains(handler)) {
      throw new CommandException(
          "handler %s has claimed no events; handlers that have: %s"
              .formatted(
                  Text.printable(handler), known.isEmpty() ? "none" : String.join(", ", known)));
    }
  }

  private void select(Pages pages, String name, RedriveStep step) throws InterruptedException {
    ProcessedEvents registry = pages.registry();
    String id = selection.eventId;
    if (id != null) {
      step.run(pages.targets(List.of(find(registry, name, id))));
      return;
    }
    ProcessedState state = selection.state();
    int left = limit;
    List<ProcessedEvent> page = registry.givenUp(name, state, Math.min(PAGE, left));
    while (!page.isEmpty()) {
      step.run(pages.targets(page));
      left -= page.size();
      if (left == 0) {
        session.note("stopped at --limit " + limit + ": there may be more");
        return;
      }
      page = registry.givenUpAfter(page.get(page.size() - 1), state, Math.min(PAGE, left));
    }
  }

  private static ProcessedEvent find(ProcessedEvents registry, String name, String id) {
    ProcessedEvent found =
        registry
            .find(name, id)
            .orElseThrow(
                () ->
                    new CommandException(
                        "handler %s has not claimed event %s: it is handled when it is delivered"
                            .formatted(name, Text.printable(id))));
    if (found.state() == ProcessedState.DONE || found.state() == ProcessedState.PROCESSING) {
      throw new CommandException(
          "event %s is %s for handler %s: only failed, skipped and dead events can be redriven"
              .formatted(Text.printable(id), ShowCommand.state(found), name));
    }
    return found;
  }
}
