package dev.once.events;

import dev.once.events.ReceivedEvent.Header;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An event that was submitted and is not settled. Used by one thread at a time; {@link
 * AggregateQueues} passes it on.
 */
final class PendingEvent {
  private static final Duration FIRST_POLL = Duration.ofMillis(100);
  private static final Duration MAX_POLL = Duration.ofSeconds(5);

  private static final AtomicLong COUNT = new AtomicLong();

  private final long number = COUNT.incrementAndGet();
  private Event event;
  private List<Header> headers;
  private final CompletableFuture<Settlement> settlement = new CompletableFuture<>();
  private long token = ThreadLocalRandom.current().nextLong();
  private Duration poll = FIRST_POLL;
  private long gapSeenNanos;
  private boolean hasSeenGap;
  private boolean maySkip;
  private boolean isDeadLettered;
  private boolean isUnanswered;
  private boolean hasLetter;
  private int lostConnections;

  PendingEvent(Event event) {
    this(new ReceivedEvent(event, List.of()));
  }

  PendingEvent(ReceivedEvent received) {
    this.event = received.event();
    this.headers = received.headers();
  }

  /** Returns a number that no other one has, in the order of submission. */
  long number() {
    return number;
  }

  Event event() {
    return event;
  }

  /** Returns the length of its data. */
  int dataBytes() {
    return event.content().data().length;
  }

  /** Returns the headers that its dead letter gets. */
  List<Header> headers() {
    return headers;
  }

  CompletableFuture<Settlement> settlement() {
    return settlement;
  }

  /** Returns the request for a claim: the same until there is an answer. */
  EventClaimRequest request() {
    isUnanswered = true;
    return new EventClaimRequest(event, token, maySkip);
  }

  /** Makes the next request one for a new claim. */
  void answered() {
    isUnanswered = false;
    token = ThreadLocalRandom.current().nextLong();
  }

  /** Returns whether its source does not want it handled any more. */
  boolean isWithdrawn() {
    return settlement.isDone() && !isDeadLettered;
  }

  /**
   * Returns whether a claim of it had no answer: it may have been granted, and would stay claimed
   * until its lease ends.
   */
  boolean isUnanswered() {
    return isUnanswered;
  }

  /** Returns how long it has waited for the event before it, from the first call on. */
  Duration gapAge(long now) {
    if (!hasSeenGap) {
      hasSeenGap = true;
      gapSeenNanos = now;
    }
    return Duration.ofNanos(now - gapSeenNanos);
  }

  /** Returns whether it waited for the event before it as long as it may. */
  boolean maySkip() {
    return maySkip;
  }

  void allowSkip() {
    maySkip = true;
  }

  /** Returns whether it went to the sink while the registry could not be reached. */
  boolean isDeadLettered() {
    return isDeadLettered;
  }

  /** Its data is not needed any more, and an outage may be long. */
  void deadLettered() {
    isDeadLettered = true;
    EventData content = event.content();
    event =
        new Event(
            content.withData(content.contentType(), new byte[0]), event.sequence(), event.time());
    headers = List.of();
  }

  /** Returns whether the sink has its dead letter, although the registry may not know yet. */
  boolean hasLetter() {
    return hasLetter;
  }

  void letterKept() {
    hasLetter = true;
  }

  /** Returns how often its effect has lost the connection, this time included. */
  int connectionLost() {
    return ++lostConnections;
  }

  boolean isFirstPoll() {
    return poll.equals(FIRST_POLL);
  }

  /** Returns the time until the next look at what it waits for, longer with every call. */
  Duration nextPoll() {
    Duration now = poll;
    poll = now.multipliedBy(2).compareTo(MAX_POLL) < 0 ? now.multipliedBy(2) : MAX_POLL;
    return now.plusNanos(ThreadLocalRandom.current().nextLong(now.toNanos() / 2));
  }
}
