package dev.once.cli;

import dev.once.client.OfflineQueue;
import dev.once.client.OperationState;
import dev.once.client.QueueEvent;
import dev.once.client.QueuedOperation;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./once queue run}: sends what is pending until nothing is left that can be sent. */
@Command(name = "run")
final class QueueRunCommand implements Callable<Integer> {
  private static final Duration TICK = Duration.ofMillis(200);

  private final Session session;

  @Mixin private final QueueOptions queues = new QueueOptions();
  @Mixin private final ClientOptions clients = new ClientOptions();
  @Mixin private final TimeoutOption timeouts = new TimeoutOption();
  @Mixin private final OutputOption output = new OutputOption();

  QueueRunCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    ResultPrinter printer = new ResultPrinter(session, output);
    QueueProgressPrinter progress = new QueueProgressPrinter(session);
    AtomicInteger worst = new AtomicInteger();
    Deadline deadline = timeouts.deadline();
    try (OfflineQueue queue =
        queues.open(
            clients.client(session).build(),
            event -> {
              progress.on(event);
              if (event instanceof QueueEvent.Ended ended) {
                worst.accumulateAndGet(printer.printLine(ended), Math::max);
              }
            })) {
      while (!queue.drain(TICK)) {
        if (queue.parked().isPresent()) {
          session.note("once: " + queue.parked().get() + ": check --token-env, then run it again");
          return Cli.FAILED;
        }
        if (isBlocked(queue)) {
          session.note(
              "once: operations that failed block their ordering keys: retry, repeat, edit or drop them");
          return Math.max(worst.get(), Cli.FAILED);
        }
        if (deadline.isOver()) {
          session.note("once: the time is over; operations that are pending stay in the queue");
          return ResultPrinter.UNKNOWN;
        }
      }
      return worst.get();
    }
  }

  /** Returns whether everything that is pending waits for operations that failed. */
  private static boolean isBlocked(OfflineQueue queue) {
    Set<String> blocked = new HashSet<>();
    boolean isAnyFree = false;
    for (QueuedOperation it :
        queue.list(OperationState.PENDING, OperationState.SENDING, OperationState.FAILED)) {
      boolean hasFailed = it.state() == OperationState.FAILED;
      boolean waits =
          it.operation()
                  .orderingKey()
                  .filter(key -> blocked.contains("ordering key " + key))
                  .isPresent()
              || it.group()
                  .filter(group -> it.compensates().isEmpty() && blocked.contains("group " + group))
                  .isPresent();
      if (hasFailed || waits) {
        it.operation().orderingKey().ifPresent(key -> blocked.add("ordering key " + key));
        // The rest of a group that was refused is dropped, and what undoes it is sent.
        it.group()
            .filter(group -> !hasFailed || OperationPrinter.isUnknown(it))
            .ifPresent(group -> blocked.add("group " + group));
      } else {
        isAnyFree = true;
      }
    }
    return !isAnyFree;
  }
}
