package dev.once.cli;

import dev.once.client.OfflineQueue;
import dev.once.client.OperationState;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once queue list}: prints the operations of a queue in their order. */
@Command(name = "list")
final class QueueListCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final QueueOptions queues = new QueueOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--state", split = ",")
  private List<OperationState> states = List.of();

  QueueListCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    try (OfflineQueue queue = queues.openPaused()) {
      QueueOptions.forEach(
          queue,
          new OperationPrinter(session, output)::print,
          states.toArray(OperationState[]::new));
      queue.parked().ifPresent(it -> session.note("nothing is sent until the next run: " + it));
      return 0;
    }
  }
}
