package dev.once.events;

import dev.once.StoreException;
import dev.once.jdbc.internal.Threads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes the ends of attempts to the registry. All that were added since the last write go in one
 * statement, without waiting for more. While the registry cannot be reached, they wait here as long
 * as their leases last; then their outcome is unknown, and the events are claimed again.
 */
final class SettlementWriter {
  private static final int MAX_BATCH_SIZE = 500;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  /** The class of SQL states for values that the database does not accept. */
  private static final String DATA_EXCEPTION = "22";

  private final ConsumerContext context;
  private final Registry registry;
  private final Set<EventLease> leases;
  private final BlockingQueue<SettleRequest> requests = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closing;

  // Used only on the writing thread. The batch is as large as it can become: what was taken from
  // the
  // requests must not be lost for want of memory.
  private final List<SettleRequest> batch = new ArrayList<>(MAX_BATCH_SIZE);
  private boolean isFailing;

  /**
   * @param leases the leases of running attempts, from which ended ones are removed
   */
  SettlementWriter(ConsumerContext context, Registry registry, Set<EventLease> leases) {
    this.context = context;
    this.registry = registry;
    this.leases = leases;
    this.thread =
        Threads.daemon(this::writeUntilClosed, "once-events-" + context.handler() + "-settle");
  }

  void start() {
    thread.start();
  }

  void add(EventLease lease, AttemptResult result) {
    lease.settle();
    requests.add(new SettleRequest(lease, result));
  }

  /** Has an event claimed again whose lease was lost. */
  void lost(EventLease lease) {
    boolean isKnown = lease.isLost();
    lease.lose();
    leases.remove(lease);
    if (!isKnown) {
      context.report(new ConsumerEvent.LeaseLost(context.handler(), lease.event(), lease.fence()));
    }
    context.retry(lease.pending(), lease.pending().nextPoll());
  }

  /** Writes the remaining results, and stops. */
  void close() throws InterruptedException {
    closing = true;
    thread.join(CLOSE_TIMEOUT.toMillis());
    thread.interrupt();
  }

  private void writeUntilClosed() {
    try {
      while (!closing || !batch.isEmpty() || !requests.isEmpty()) {
        if (!writeNext()) {
          TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns false after a failure. This thread must not end by any: no other settles events. */
  private boolean writeNext() throws InterruptedException {
    try {
      if (batch.isEmpty()) {
        SettleRequest first = requests.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
        }
      }
      return write();
    } catch (RuntimeException | Error e) {
      context.trouble("settling events", e);
      return false;
    }
  }

  /** Writes what was added, all in one statement. Returns false if that failed. */
  boolean write() {
    requests.drainTo(batch, MAX_BATCH_SIZE - batch.size());
    if (batch.isEmpty()) {
      return true;
    }
    try {
      Map<EventLease, SettleAnswer> answers = registry.settle(batch);
      isFailing = false;
      List<SettleRequest> written = List.copyOf(batch);
      batch.clear();
      written.forEach(it -> endGuarded(it, answers.get(it.lease())));
      return true;
    } catch (RuntimeException | Error e) {
      if (!isFailing) {
        isFailing = true;
        context.trouble("settling events", e);
      }
      if (isUnwritable(e)) {
        batch.replaceAll(SettlementWriter::withPlainReason);
      }
      dropUnknown();
      return false;
    }
  }

  private void dropUnknown() {
    for (Iterator<SettleRequest> all = batch.iterator(); all.hasNext(); ) {
      EventLease lease = all.next().lease();
      if (lease.isOver()) {
        all.remove();
        leases.remove(lease);
        context.retry(lease.pending(), lease.pending().nextPoll());
        context.report(new ConsumerEvent.Unknown(context.handler(), lease.event(), lease.fence()));
      }
    }
  }

  private void endGuarded(SettleRequest request, @Nullable SettleAnswer answer) {
    try {
      end(request, answer);
    } catch (RuntimeException | Error e) { // The others of its batch are settled too.
      context.trouble("ending an attempt", e);
    }
  }

  /** Ends an attempt that the registry settled, or did not know. */
  void end(SettleRequest request, @Nullable SettleAnswer answer) {
    EventLease lease = request.lease();
    if (answer == null) {
      lost(lease);
      return;
    }
    leases.remove(lease);
    Event event = lease.event();
    AttemptResult result = request.result();
    String reason = result.reason().orElse("");
    switch (answer.state()) {
      case DONE ->
          context.settled(
              lease.pending(), new Settlement.Handled(event, lease.attempt(), lease.fence()));
      case SKIPPED -> context.settled(lease.pending(), new Settlement.Skipped(event, reason));
      case DEAD -> context.settled(lease.pending(), new Settlement.Dead(event, reason));
      case FAILED -> {
        context.report(
            result.counts()
                ? new ConsumerEvent.Failed(
                    context.handler(), event, lease.attempt(), result.delay(), reason)
                : new ConsumerEvent.Released(context.handler(), event, reason));
        context.retry(lease.pending(), result.delay());
      }
      case PROCESSING -> throw new AssertionError("a settled event is processing: " + event);
    }
  }

  /** A reason may have characters that the database's encoding lacks. */
  private static SettleRequest withPlainReason(SettleRequest request) {
    AttemptResult result = request.result();
    Optional<String> plain = result.reason().map(it -> it.replaceAll("[^\\x20-\\x7e]", "?"));
    return new SettleRequest(
        request.lease(), new AttemptResult(result.state(), result.counts(), result.delay(), plain));
  }

  private static boolean isUnwritable(Throwable failure) {
    return failure instanceof StoreException
        && failure.getCause() instanceof SQLException e
        && String.valueOf(e.getSQLState()).startsWith(DATA_EXCEPTION);
  }
}
