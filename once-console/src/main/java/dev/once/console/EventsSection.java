package dev.once.console;

import dev.once.events.EventData;
import dev.once.events.ProcessedEvent;
import dev.once.events.ProcessedEvents;
import dev.once.events.ProcessedState;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Shows consumers and the events that they gave up, and redrives one. Events have no tenant, so
 * users of some tenants alone see none.
 */
final class EventsSection implements Section, TimelineSource {
  private final ProcessedEvents events;
  private final Supplier<List<ConsumerStatus>> consumers;

  EventsSection(ProcessedEvents events, Supplier<List<ConsumerStatus>> consumers) {
    this.events = events;
    this.consumers = consumers;
  }

  @Override
  public String name() {
    return "events";
  }

  @Override
  public Set<String> views() {
    return Set.of("", "given-up", "one");
  }

  @Override
  public Json read(String view, Query query) {
    if (query.user().tenants().isPresent()) {
      throw ApiException.forbidden("events have no tenant: this user sees none");
    }
    return switch (view) {
      case "" -> overview();
      case "given-up" -> givenUp(query);
      default -> one(query);
    };
  }

  private Json overview() {
    return new Json()
        .putTexts("handlers", events.handlers())
        .putAll(
            "consumers",
            consumers.get(),
            it ->
                new Json()
                    .put("handler", it.handler())
                    .put("state", it.state())
                    .putText("lag", it.lag())
                    .putText("pending", it.pending()));
  }

  private Json givenUp(Query query) {
    String handler = query.require("handler");
    ProcessedState state =
        switch (query.text("state").orElse("dead")) {
          case "dead" -> ProcessedState.DEAD;
          case "skipped" -> ProcessedState.SKIPPED;
          default -> throw ApiException.invalid("state must be dead or skipped");
        };
    List<ProcessedEvent> page =
        query
            .after(1)
            .flatMap(it -> last(handler, it.get(0)))
            .map(it -> events.givenUpAfter(it, state, query.limit()))
            .orElseGet(() -> events.givenUp(handler, state, query.limit()));
    PayloadText payloads = new PayloadText(query.user().payloads());
    Json json = new Json().putAll("events", page, it -> event(it, payloads));
    return page.size() < query.limit()
        ? json
        : json.put("next", Cursor.of(page.get(page.size() - 1).eventId()));
  }

  private Optional<ProcessedEvent> last(String handler, String event) {
    return events.find(handler, event).filter(it -> it.givenUpAt().isPresent());
  }

  private Json one(Query query) {
    PayloadText payloads = new PayloadText(query.user().payloads());
    return new Json()
        .putAll("events", events.find(query.require("event")), it -> event(it, payloads));
  }

  private static Json event(ProcessedEvent it, PayloadText payloads) {
    Optional<Instant> finished = it.finishedAt();
    return new Json()
        .put("handler", it.handler())
        .put("event", it.eventId())
        .put("aggregate", it.aggregate())
        .putText("sequence", it.sequence())
        .put("state", it.state().name().toLowerCase(Locale.ROOT))
        .putText("fence", it.fence())
        .put("attempts", it.attempts())
        .put("started_at", it.startedAt())
        .putIfPresent("finished_at", finished)
        .putIfPresent("given_up_at", it.givenUpAt())
        .putIfPresent("error", it.error().flatMap(payloads::message));
  }

  @Override
  public List<TimelineSearch> searches() {
    return List.of(new TimelineSearch("events", false, this::withId));
  }

  private Optional<String> withId(
      TimelineSearch.Subject subject, Optional<String> after, TimelineEntries into) {
    if (subject.user().tenants().isEmpty() && subject.key().length() <= EventData.MAX_ID_CHARS) {
      events
          .find(subject.key())
          .forEach(
              it ->
                  into.add(
                      it.startedAt(),
                      "event",
                      "event",
                      it.handler(),
                      it.state().name().toLowerCase(Locale.ROOT),
                      new Json().put("event", it.eventId())));
    }
    return Optional.empty();
  }

  @Override
  public Set<ConsoleAction> actions() {
    return Set.of(ConsoleAction.REDRIVE_EVENT);
  }

  @Override
  public Json perform(ConsoleAction action, Command command) {
    if (!events.redrive(command.require("handler"), command.require("event"))) {
      throw ApiException.absent("event that was given up");
    }
    return new Json().put("changed", true);
  }
}
