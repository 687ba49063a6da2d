package dev.once.events;

import dev.once.StoreException;
import dev.once.events.ClaimAnswer.Claimed;
import dev.once.events.DeadLetterSink.DeadLetter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Claims pending events, all that are due in one statement, and passes them to the effects. */
final class Claimer {
  private static final int MAX_BATCH_SIZE = 256;

  private final ConsumerContext context;
  private final Registry registry;
  private final SequenceRule sequences;
  private final Optional<DeadLetterSink> sink;
  private final Outage outage;
  private final Set<EventLease> leases;
  private final SettlementWriter settlements;
  private final Consumer<List<EventLease>> effects;

  /**
   * @param leases where claimed events are added
   * @param effects receives the claimed events of one aggregate, in their order
   */
  Claimer(
      ConsumerContext context,
      Registry registry,
      SequenceRule sequences,
      Optional<DeadLetterSink> sink,
      Outage outage,
      Set<EventLease> leases,
      SettlementWriter settlements,
      Consumer<List<EventLease>> effects) {
    this.context = context;
    this.registry = registry;
    this.sequences = sequences;
    this.sink = sink;
    this.outage = outage;
    this.leases = leases;
    this.settlements = settlements;
    this.effects = effects;
  }

  void claimUntilClosed() {
    try {
      while (!context.queues().isClosed()) {
        if (outage.policy() != RegistryOutage.DEAD_LETTER) {
          context.queues().awaitClosed(outage.untilCheck());
        }
        if (!claimNext()) {
          context.queues().awaitClosed(outage.checkInterval());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns false after a failure. This thread must not end by any: no other claims events. */
  private boolean claimNext() throws InterruptedException {
    try {
      claimGuarded(context.queues().take(MAX_BATCH_SIZE));
      return true;
    } catch (RuntimeException | Error e) {
      context.trouble("claiming events", e);
      return false;
    }
  }

  /** Claims events that are due, if there are any. */
  void claimDue() {
    List<PendingEvent> due = context.queues().takeDue(MAX_BATCH_SIZE);
    if (!due.isEmpty()) {
      claimGuarded(due);
    }
  }

  /** Events that were taken must not be lost by any error. */
  private void claimGuarded(List<PendingEvent> due) {
    Set<PendingEvent> taken = new LinkedHashSet<>(due);
    try {
      claim(taken);
    } catch (RuntimeException | Error e) {
      leases.removeIf(lease -> taken.contains(lease.pending()));
      taken.forEach(it -> context.retry(it, outage.checkInterval()));
      context.trouble("claiming events", e);
    }
  }

  /** Claims the taken events, and removes from them what has been passed on. */
  private void claim(Set<PendingEvent> taken) {
    outage.fatal().ifPresent(cause -> fail(taken, cause));
    taken.removeIf(this::removeWithdrawn);
    if (taken.isEmpty()) {
      return;
    }
    RuntimeException known = outage.cause();
    if (known != null && !outage.untilCheck().isZero()) {
      unavailable(taken, known);
      return;
    }
    List<PendingEvent> wanted = List.copyOf(taken);
    long sent = System.nanoTime();
    List<ClaimAnswer> answers;
    try {
      answers = send(wanted);
    } catch (StoreException e) {
      outage.failed(e);
      unavailable(taken, e);
      return;
    }
    outage.succeeded();
    accept(taken, wanted, answers, sent);
  }

  private boolean removeWithdrawn(PendingEvent pending) {
    if (pending.isWithdrawn() && !pending.isUnanswered()) {
      context.queues().remove(pending);
      return true;
    }
    return false;
  }

  /** Sends a claim again immediately if it fails first: a pooled connection may have been dead. */
  private List<ClaimAnswer> send(List<PendingEvent> wanted) {
    List<EventClaimRequest> requests = wanted.stream().map(PendingEvent::request).toList();
    try {
      return registry.claim(requests);
    } catch (StoreException e) {
      if (outage.cause() != null) {
        throw e;
      }
      return registry.claim(requests);
    }
  }

  /**
   * Treats events that cannot be claimed by the policy for outages. They stay pending with their
   * tokens: the claim may have been granted and its answer lost.
   */
  private void unavailable(Set<PendingEvent> taken, RuntimeException cause) {
    switch (outage.policy()) {
      case PAUSE -> {}
      case FAIL_FAST -> fail(context.queues().pending(), cause);
      case DEAD_LETTER -> taken.forEach(it -> deadLetter(it, cause));
    }
    taken.forEach(it -> context.retry(it, outage.checkInterval()));
    taken.clear();
  }

  private static void fail(Collection<PendingEvent> events, RuntimeException cause) {
    events.forEach(it -> it.settlement().completeExceptionally(cause));
  }

  private void deadLetter(PendingEvent pending, RuntimeException cause) {
    if (pending.isDeadLettered()) {
      return; // It waits for the registry to be told.
    }
    String reason = "the registry cannot be reached: " + AttemptPolicy.reasonOf(cause);
    try {
      sink.orElseThrow()
          .accept(new DeadLetter(context.handler(), pending.event(), pending.headers(), 0, reason));
    } catch (Throwable e) {
      context.trouble("handing an event to the dead-letter sink", e);
      return;
    }
    context.queues().deadLettered(pending);
    Settlement.Dead settlement = new Settlement.Dead(pending.event(), reason);
    if (pending.settlement().complete(settlement)) {
      context.report(new ConsumerEvent.Settled(context.handler(), settlement));
    }
  }

  private void accept(
      Set<PendingEvent> taken, List<PendingEvent> wanted, List<ClaimAnswer> answers, long sent) {
    Map<Aggregate, List<EventLease>> claimed = new LinkedHashMap<>();
    for (int i = 0; i < wanted.size(); i++) {
      PendingEvent pending = wanted.get(i);
      ClaimAnswer answer = answers.get(i);
      pending.answered();
      if (answer instanceof Claimed it) {
        EventLease lease = new EventLease(pending, it, sent, registry.lease());
        leases.add(lease);
        claimed.computeIfAbsent(pending.event().aggregate(), key -> new ArrayList<>()).add(lease);
      } else {
        notClaimed(pending, answer);
        taken.remove(pending);
      }
    }
    for (List<EventLease> ofAggregate : claimed.values()) {
      start(ofAggregate, taken);
    }
  }

  private void notClaimed(PendingEvent pending, ClaimAnswer answer) {
    Event event = pending.event();
    if (answer instanceof ClaimAnswer.Finished it) {
      context.settled(pending, new Settlement.Duplicate(event, it.state()));
    } else if (answer instanceof ClaimAnswer.Stale) {
      context.settled(pending, new Settlement.Stale(event));
    } else if (answer instanceof ClaimAnswer.Later it) {
      context.retry(pending, it.delay());
    } else if (answer instanceof ClaimAnswer.Busy it) {
      await(pending, it.left(), "another consumer has it");
    } else if (answer instanceof ClaimAnswer.Blocked) {
      await(pending, Duration.ZERO, "other events of its aggregate are not finished");
    } else if (answer instanceof ClaimAnswer.Gap) {
      awaitPredecessor(pending);
    } else {
      throw new AssertionError("unhandled answer " + answer);
    }
  }

  /** Retries after a while, or after {@code left} if that is shorter and not zero. */
  private void await(PendingEvent pending, Duration left, String reason) {
    if (pending.isFirstPoll()) {
      context.report(new ConsumerEvent.Waiting(context.handler(), pending.event(), reason));
    }
    Duration poll = pending.nextPoll();
    context.retry(pending, !left.isZero() && left.compareTo(poll) < 0 ? left : poll);
  }

  private void awaitPredecessor(PendingEvent pending) {
    Duration left = sequences.maxWait().minus(pending.gapAge(context.queues().nanoTime()));
    if (left.isZero() || left.isNegative()) {
      pending.allowSkip();
      context.retry(pending, Duration.ZERO);
    } else {
      await(pending, left, "the event before it has not been handled");
    }
  }

  /** Starts the effects of one aggregate, without those that need none any more. */
  private void start(List<EventLease> claimed, Set<PendingEvent> taken) {
    List<EventLease> wanted = new ArrayList<>(claimed);
    for (EventLease lease : claimed) {
      Optional<AttemptResult> early = withoutEffect(lease.pending());
      if (early.isPresent()) {
        settlements.add(lease, early.get());
        taken.remove(lease.pending());
        wanted.remove(lease);
      }
    }
    if (!wanted.isEmpty()) {
      effects.accept(wanted);
      wanted.forEach(it -> taken.remove(it.pending()));
    }
  }

  private static Optional<AttemptResult> withoutEffect(PendingEvent pending) {
    if (pending.isDeadLettered()) {
      return Optional.of(
          AttemptResult.givenUp(ProcessedState.DEAD, "the registry could not be reached"));
    }
    return pending.isWithdrawn()
        ? Optional.of(AttemptResult.released(Duration.ZERO, "it was withdrawn"))
        : Optional.empty();
  }
}
