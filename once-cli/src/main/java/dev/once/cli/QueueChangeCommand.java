package dev.once.cli;

import dev.once.client.OfflineQueue;
import dev.once.client.QueuedOperation;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ./once queue retry}, {@code repeat} and {@code drop}: change operations by their ids. */
@Command
final class QueueChangeCommand implements Callable<Integer> {
  private final Session session;
  private final Change change;

  @Mixin private final QueueOptions queues = new QueueOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "<id>")
  private List<String> ids = List.of();

  /** What happens to an operation. */
  interface Change {
    void apply(OfflineQueue queue, String id);
  }

  private QueueChangeCommand(Session session, Change change) {
    this.session = session;
    this.change = change;
  }

  static CommandLine named(String name, Session session, Change change) {
    return new CommandLine(new QueueChangeCommand(session, change)).setCommandName(name);
  }

  @Override
  public Integer call() {
    OperationPrinter printer = new OperationPrinter(session, output);
    try (OfflineQueue queue = queues.openPaused()) {
      for (String id : ids) {
        printer.print(changed(queue, id));
      }
      return 0;
    }
  }

  private QueuedOperation changed(OfflineQueue queue, String id) {
    QueuedOperation before = QueueOptions.require(queue, id);
    try {
      change.apply(queue, before.id());
    } catch (IllegalStateException e) {
      throw new CommandException(CommandException.reason(e), e);
    }
    return QueueOptions.require(queue, id);
  }
}
