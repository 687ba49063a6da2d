package dev.once.events;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs effects outside the database, while their leases last. */
record LeasedEffectRunner(
    ConsumerContext context, EventEffect effect, AttemptPolicy policy, SettlementWriter settlements)
    implements EventEffectRunner {

  @Override
  public int batchSize() {
    return 1;
  }

  @Override
  public void run(List<List<EventLease>> batch) {
    batch.forEach(this::runInOrder);
  }

  private void runInOrder(List<EventLease> leases) {
    boolean goesOn = true;
    for (EventLease lease : leases) {
      if (!goesOn || context.isClosing().getAsBoolean()) {
        String why = goesOn ? "its consumer closes" : "an earlier event of its aggregate failed";
        settlements.add(lease, AttemptResult.released(Duration.ZERO, why));
      } else {
        goesOn = run(lease);
      }
    }
  }

  /** Returns whether the event after this one may be handled. */
  private boolean run(EventLease lease) {
    if (lease.isLost() || lease.isOver()) {
      settlements.lost(lease);
      return false;
    }
    Optional<AttemptResult> early = policy.beforeEffect(lease);
    AttemptResult result = early.isPresent() ? early.get() : call(lease);
    if (lease.isLost()) {
      settlements.lost(lease);
      return false;
    }
    settlements.add(lease, result);
    return result.state() != ProcessedState.FAILED;
  }

  private AttemptResult call(EventLease lease) {
    try {
      lease.begin();
      try {
        effect.apply(lease.event(), new EventExecution(lease.fence(), lease.attempt()));
      } finally {
        lease.end();
      }
      return AttemptResult.DONE;
    } catch (Throwable e) {
      return policy.afterFailure(lease, e);
    } finally {
      Thread.interrupted(); // The next effect must not see this one's interrupt.
    }
  }
}
