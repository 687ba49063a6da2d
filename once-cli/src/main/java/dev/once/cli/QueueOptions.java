package dev.once.cli;

import dev.once.client.OfflineQueue;
import dev.once.client.OnceHttpClient;
import dev.once.client.OperationState;
import dev.once.client.QueueException;
import dev.once.client.QueueListener;
import dev.once.client.QueuedOperation;
import dev.once.client.RetryRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Parameters;

/** The file of a queue that exists. */
final class QueueOptions {
  @Parameters(index = "0", paramLabel = "<file>")
  private Path file = Path.of("");

  /** Opens the queue and sends nothing. */
  OfflineQueue openPaused() {
    requireFile();
    OnceHttpClient unused = OnceHttpClient.of(RetryRules.strict());
    return OfflineQueue.builder(file, unused).concurrency(1).paused().open();
  }

  /** Opens the queue and sends, also if a refusal of the credentials had stopped it. */
  OfflineQueue open(OnceHttpClient client, QueueListener listener) {
    requireFile();
    OfflineQueue queue = OfflineQueue.builder(file, client).listener(listener).paused().open();
    try {
      queue.credentialsChanged(); // They were read again.
      queue.resume();
      return queue;
    } catch (QueueException e) { // It was sent by another contract, for example.
      queue.close();
      throw e;
    }
  }

  /** A typing error must not create an empty queue. */
  private void requireFile() {
    if (!Files.isRegularFile(file)) {
      throw new CommandException("there is no queue " + file + ": check the path");
    }
  }

  /**
   * Reads all operations in these states, in their order; a queue lists a limited number at once.
   */
  static void forEach(
      OfflineQueue queue, Consumer<QueuedOperation> action, OperationState... states) {
    List<QueuedOperation> page = queue.list(states);
    while (!page.isEmpty()) {
      page.forEach(action);
      page = queue.listAfter(page.get(page.size() - 1).id(), states);
    }
  }

  static QueuedOperation require(OfflineQueue queue, String id) {
    return queue
        .find(id)
        .orElseThrow(
            () ->
                new CommandException(
                    "the queue has no operation " + Text.printable(id) + ": check its id"));
  }
}
