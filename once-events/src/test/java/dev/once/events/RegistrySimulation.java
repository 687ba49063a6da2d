package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.ClaimAnswer.Claimed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Consumers without threads that claim, handle, fail, pause past their leases, lose answers and
 * crash at random. The seed alone determines what happens.
 */
final class RegistrySimulation {
  private static final int ORDERS = 3;
  private static final int EVENTS_PER_ORDER = 5;
  private static final int CONSUMERS = 3;
  private static final int STEPS = 60;
  private static final int MAX_ROUNDS = 50;

  private final RegistryDatabase database;
  private final Registry registry;
  private final Random random;
  private final List<Event> events = new ArrayList<>();
  private final List<List<EventLease>> held = new ArrayList<>();
  private final List<List<EventClaimRequest>> unanswered = new ArrayList<>();

  // What has been observed.
  private final Map<String, Long> highestFence = new HashMap<>();
  private final Map<String, Long> liveFence = new HashMap<>();
  private final Set<String> done = new HashSet<>();
  private final Map<Aggregate, Long> highestDone = new HashMap<>();

  /** Events whose lease had ended when another event of their aggregate was claimed. */
  private final Set<String> takenOver = new HashSet<>();

  RegistrySimulation(RegistryDatabase database, long seed) {
    this.database = database;
    this.registry = database.client().registry();
    this.random = new Random(seed);
    for (int order = 0; order < ORDERS; order++) {
      events.addAll(TestEvents.events("order-" + order, EVENTS_PER_ORDER));
    }
    for (int i = 0; i < CONSUMERS; i++) {
      held.add(new ArrayList<>());
      unanswered.add(new ArrayList<>());
    }
  }

  void run() {
    for (int i = 0; i < STEPS; i++) {
      step(random.nextInt(CONSUMERS));
    }
    finish();
  }

  private void step(int consumer) {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> claim(consumer, someRequests());
      case 3, 4, 5, 6 -> handleOne(consumer);
      case 7 -> claim(consumer, List.copyOf(unanswered.get(consumer)));
      case 8 -> crash(consumer);
      default -> expireLeases();
    }
  }

  private List<EventClaimRequest> someRequests() {
    List<Event> shuffled = new ArrayList<>(events);
    Collections.shuffle(shuffled, random);
    return shuffled.subList(0, 1 + random.nextInt(5)).stream()
        .map(it -> new EventClaimRequest(it, random.nextLong(), false))
        .toList();
  }

  private void claim(int consumer, List<EventClaimRequest> requests) {
    if (requests.isEmpty()) {
      return;
    }
    List<ClaimAnswer> answers = registry.claim(requests);
    unanswered.get(consumer).clear();
    boolean isLost = random.nextInt(4) == 0;
    Set<String> others = new HashSet<>(liveFence.keySet());
    requests.forEach(it -> others.remove(it.event().id()));
    takeOver(requests, answers);
    for (int i = 0; i < requests.size(); i++) {
      if (answers.get(i) instanceof Claimed claimed) {
        granted(requests.get(i).event(), claimed);
        requireExclusive(requests.get(i).event(), others);
        if (!isLost) {
          held.get(consumer).add(lease(requests.get(i).event(), claimed));
        }
      }
    }
    if (isLost) {
      unanswered.get(consumer).addAll(requests);
    }
  }

  /** A claim takes all events of its aggregates from earlier claims whose leases have ended. */
  private void takeOver(List<EventClaimRequest> requests, List<ClaimAnswer> answers) {
    for (int i = 0; i < requests.size(); i++) {
      Event claimed = requests.get(i).event();
      if (answers.get(i) instanceof Claimed && !liveFence.containsKey(claimed.id())) {
        events.stream()
            .filter(it -> it.aggregate().equals(claimed.aggregate()))
            .filter(it -> !liveFence.containsKey(it.id()))
            .forEach(it -> takenOver.add(it.id()));
      }
    }
  }

  private void granted(Event event, Claimed claimed) {
    takenOver.remove(event.id());
    assertThat(done).as("a handled event is never claimed again").doesNotContain(event.id());
    assertThat(event.sequence())
        .as("no event is claimed after a later one was handled")
        .isGreaterThan(highestDone.getOrDefault(event.aggregate(), 0L));
    Long live = liveFence.get(event.id());
    if (live != null) {
      assertThat(claimed.fence()).as("a live lease is granted again only as it is").isEqualTo(live);
    } else {
      assertThat(claimed.fence())
          .as("fences rise")
          .isGreaterThan(highestFence.getOrDefault(event.id(), 0L));
    }
    highestFence.put(event.id(), claimed.fence());
    liveFence.put(event.id(), claimed.fence());
  }

  private void requireExclusive(Event event, Set<String> others) {
    assertThat(events)
        .filteredOn(it -> it.aggregate().equals(event.aggregate()) && others.contains(it.id()))
        .as("no other claim of the aggregate is live")
        .isEmpty();
  }

  private EventLease lease(Event event, Claimed claimed) {
    return new EventLease(new PendingEvent(event), claimed, System.nanoTime(), registry.lease());
  }

  private void handleOne(int consumer) {
    List<EventLease> leases = held.get(consumer);
    if (leases.isEmpty()) {
      return;
    }
    // As the engine does: the first of its aggregate, and the others go back if it fails.
    EventLease any = leases.get(random.nextInt(leases.size()));
    EventLease lease =
        leases.stream()
            .filter(it -> it.event().aggregate().equals(any.event().aggregate()))
            .min((a, b) -> Long.compare(a.event().sequence(), b.event().sequence()))
            .orElseThrow();
    if (random.nextInt(4) == 0) {
      settle(lease, AttemptResult.failed(Duration.ofSeconds(random.nextInt(3)), "random"));
      leases.remove(lease);
      List<EventLease> behind =
          leases.stream()
              .filter(it -> it.event().aggregate().equals(lease.event().aggregate()))
              .toList();
      behind.forEach(it -> settle(it, AttemptResult.released(Duration.ZERO, "behind")));
      leases.removeAll(behind);
    } else {
      settle(lease, AttemptResult.DONE);
      leases.remove(lease);
    }
  }

  private void settle(EventLease lease, AttemptResult result) {
    Event event = lease.event();
    SettleRequest request = new SettleRequest(lease, result);
    SettleAnswer answer = registry.settle(List.of(request)).get(lease);
    if (random.nextInt(4) == 0) { // Its answer is lost, and it is sent again.
      SettleAnswer again = registry.settle(List.of(request)).get(lease);
      assertThat(again == null).isEqualTo(answer == null);
      assertThat(again == null || !again.isNew()).isTrue();
    }
    boolean isNewest =
        lease.fence() == highestFence.getOrDefault(event.id(), 0L)
            && !takenOver.contains(event.id());
    assertThat(answer != null).as("only the newest claim settles").isEqualTo(isNewest);
    if (isNewest) {
      liveFence.remove(event.id());
      if (result.state() == ProcessedState.DONE) {
        assertThat(done.add(event.id())).as("an event is done once").isTrue();
        highestDone.merge(event.aggregate(), event.sequence(), Math::max);
      }
    }
  }

  private void crash(int consumer) {
    held.get(consumer).clear();
    unanswered.get(consumer).clear();
  }

  private void expireLeases() {
    database.elapse(registry.lease());
    liveFence.clear();
  }

  /** Delivers all events in order until each is finished. */
  private void finish() {
    for (int i = 0; i < CONSUMERS; i++) {
      crash(i);
    }
    for (int round = 0; round < MAX_ROUNDS; round++) {
      expireLeases();
      List<EventClaimRequest> all =
          events.stream().map(it -> new EventClaimRequest(it, random.nextLong(), false)).toList();
      List<ClaimAnswer> answers = registry.claim(all);
      boolean isFinished = true;
      for (int i = 0; i < all.size(); i++) {
        if (answers.get(i) instanceof Claimed claimed) {
          granted(all.get(i).event(), claimed);
          settle(lease(all.get(i).event(), claimed), AttemptResult.DONE);
          isFinished = false;
        }
        isFinished &=
            answers.get(i) instanceof ClaimAnswer.Finished
                || answers.get(i) instanceof ClaimAnswer.Stale;
      }
      if (isFinished) {
        requireAllSettled();
        return;
      }
    }
    throw new AssertionError("events are not finished after " + MAX_ROUNDS + " rounds");
  }

  private void requireAllSettled() {
    for (Event event : events) {
      assertThat(highestDone.get(event.aggregate()))
          .as("the last event of each aggregate is handled")
          .isEqualTo(EVENTS_PER_ORDER);
    }
  }
}
