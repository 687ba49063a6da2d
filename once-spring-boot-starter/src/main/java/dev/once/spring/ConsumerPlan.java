package dev.once.spring;

import dev.once.events.DeadLetterSink;
import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventExecution;
import dev.once.events.EventRetryPolicy;
import dev.once.events.RegistryOutage;
import dev.once.events.SequenceRule;
import dev.once.events.UnprocessableEventException;
import dev.once.spring.EventsProperties.GiveUp;
import dev.once.spring.EventsProperties.HandlerSettings;
import dev.once.spring.EventsProperties.Sequence;
import dev.once.spring.EventsProperties.UnknownTypes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the events of one handler are consumed. */
record ConsumerPlan(EventHandler handler, HandlerSettings settings, int attempts, Duration drain) {
  /**
   * The handlers whose environment variables say that events are skipped after the last attempt.
   */
  private static final Set<String> SKIPPING = Set.of("instance_worker", "ontology_worker");

  /** Less than half of the connections that Hikari has unless told otherwise. */
  private static final int TRANSACTIONAL_CONCURRENCY = 4;

  ConsumerPlan {
    if (settings.topics().isEmpty() && handler.topics().isEmpty()) {
      throw new MisconfiguredException(
          handler.where() + " has no topics.",
          "Name topics in the annotation, or set once.events.handlers."
              + handler.name()
              + ".topics.");
    }
  }

  static ConsumerPlan of(
      EventHandler handler,
      HandlerSettings settings,
      EventsProperties all,
      EventVariables variables) {
    int attempts =
        Optional.ofNullable(settings.attempts())
            .or(() -> variables.attempts(handler.name()))
            .orElse(EventRetryPolicy.DEFAULT_ATTEMPTS);
    ConsumerPlan plan = new ConsumerPlan(handler, settings, attempts, all.drain());
    plan.check();
    return plan;
  }

  private void check() {
    String prefix = "once.events.handlers." + handler.name();
    if (settings.onOutage() == RegistryOutage.DEAD_LETTER && giveUp() == GiveUp.SKIP) {
      throw new MisconfiguredException(
          prefix + ".on-outage is dead-letter, but its events are skipped after the last attempt.",
          "Set " + prefix + ".give-up=dead-letter, or another on-outage.");
    }
    if (!handler.isTransactional() && settings.batchSize() != 1) {
      throw new MisconfiguredException(
          prefix + ".batch-size is set, but " + handler.where() + " has no transaction to share.",
          "Leave it out, or write mode = TRANSACTIONAL.");
    }
    try {
      EventConsumer.named(handler.name());
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          handler.where() + " is invalid: " + e.getMessage() + ".", "Change the annotation.");
    }
    try {
      var unused = builder(letter -> {});
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          prefix + " cannot be used: " + e.getMessage() + ".",
          "Change the setting, or once.events.drain if it is about that.");
    }
  }

  /** Returns the settings of the consumer, but for its registry. */
  EventConsumer.Builder builder(DeadLetterSink deadLetters) {
    EventRetryPolicy retries =
        giveUp() == GiveUp.SKIP ? EventRetryPolicy.SKIP : EventRetryPolicy.deadLetter(deadLetters);
    return EventConsumer.named(handler.name())
        .retries(
            retries.withAttempts(attempts).withDelays(settings.firstDelay(), settings.maxDelay()))
        .sequences(
            settings.sequence() == Sequence.EVERY
                ? SequenceRule.every(settings.maxWait(), settings.missing())
                : SequenceRule.HIGHER)
        .onOutage(settings.onOutage())
        .concurrency(concurrency())
        .batchSize(settings.batchSize())
        .drain(drain);
  }

  /** Calls the method for an event, and treats one that no method takes as the settings say. */
  void handle(Event event, @Nullable EventExecution execution) throws Exception {
    if (!handler.handle(event, execution) && settings.unknownTypes() == UnknownTypes.GIVE_UP) {
      throw new UnprocessableEventException(
          "no method of handler %s takes events of type %s"
              .formatted(handler.name(), event.content().type()));
    }
  }

  String name() {
    return handler.name();
  }

  List<String> topics() {
    return settings.topics().isEmpty() ? List.copyOf(handler.topics()) : settings.topics();
  }

  String deadLetterTopic() {
    return Optional.ofNullable(settings.deadLetterTopic()).orElse(handler.name() + "_dlq");
  }

  GiveUp giveUp() {
    return Optional.ofNullable(settings.giveUp())
        .orElse(SKIPPING.contains(handler.name()) ? GiveUp.SKIP : GiveUp.DEAD_LETTER);
  }

  private int concurrency() {
    return Optional.ofNullable(settings.concurrency())
        .orElse(
            handler.isTransactional()
                ? TRANSACTIONAL_CONCURRENCY
                : EventConsumer.Builder.DEFAULT_CONCURRENCY);
  }
}
