package dev.once.cli;

import dev.once.client.OfflineQueue;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ./once queue edit}: replaces the body of an operation, which gets a new key. */
@Command(name = "edit")
final class QueueEditCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final QueueOptions queues = new QueueOptions();
  @Mixin private final BodyOptions bodies = new BodyOptions();
  @Mixin private final JsonOutputOption output = new JsonOutputOption();

  @Parameters(index = "1", paramLabel = "<id>")
  private String id = "";

  QueueEditCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    BodyOptions.Body body =
        bodies
            .body()
            .orElseThrow(() -> new Misuse("give a body: --json <body> or --body-file <path>"));
    try (OfflineQueue queue = queues.openPaused()) {
      QueueOptions.require(queue, id);
      String carrier = edit(queue, body);
      new OperationPrinter(session, output).print(QueueOptions.require(queue, carrier));
      if (!carrier.equals(id)) {
        session.note(
            "the server may know operation %s already: it ends first, and %s follows it"
                .formatted(Text.printable(id), carrier));
      }
      return 0;
    }
  }

  private String edit(OfflineQueue queue, BodyOptions.Body body) {
    try {
      return queue.edit(id, body.contentType(), body.bytes());
    } catch (IllegalStateException e) {
      throw new CommandException(CommandException.reason(e), e);
    }
  }
}
