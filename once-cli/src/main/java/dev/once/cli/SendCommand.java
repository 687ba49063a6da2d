package dev.once.cli;

import dev.once.client.DuplicateOperationException;
import dev.once.client.EnqueueOptions;
import dev.once.client.OfflineQueue;
import dev.once.client.OnceHttpClient;
import dev.once.client.Operation;
import dev.once.client.OperationResult;
import dev.once.client.QueueEvent;
import dev.once.client.QueuedOperation;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./once send}: sends a request that takes effect once, now or through a queue. */
@Command(name = "send")
final class SendCommand implements Callable<Integer> {
  private static final Duration TICK = Duration.ofMillis(200);

  /** The event of an operation that has ended comes right after its end. */
  private static final int EVENT_SECONDS = 1;

  private final Session session;

  @Mixin private final BodyOptions bodies = new BodyOptions();
  @Mixin private final ClientOptions clients = new ClientOptions();
  @Mixin private final TimeoutOption timeouts = new TimeoutOption();
  @Mixin private final JsonOutputOption output = new JsonOutputOption();

  @Parameters(index = "0", paramLabel = "<method>")
  private String method = "";

  @Parameters(index = "1", paramLabel = "<url>")
  private String url = "";

  @Option(names = "--header")
  private List<String> headers = List.of();

  @Option(names = "--key")
  private @Nullable String key;

  @Option(names = "--type")
  private @Nullable String type;

  @Option(names = "--ordering-key")
  private @Nullable String orderingKey;

  @Option(names = "--queue")
  private @Nullable Path queueFile;

  @Option(names = "--no-wait")
  private boolean noWait;

  @Option(names = "--allow-duplicate")
  private boolean allowDuplicate;

  SendCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    Operation operation = operation();
    if (queueFile != null) {
      return enqueue(queueFile, operation);
    }
    if (noWait || allowDuplicate || orderingKey != null) {
      throw new Misuse("--no-wait, --allow-duplicate and --ordering-key need --queue <file>");
    }
    OnceHttpClient.Builder client = clients.client(session);
    timeouts.timeout().ifPresent(client::deadline);
    OperationResult result = client.build().send(operation);
    int exitCode = new ResultPrinter(session, output).print(result);
    return Thread.interrupted() ? Cli.INTERRUPTED : exitCode;
  }

  private Operation operation() {
    try {
      Operation.Builder builder = Operation.builder(method.toUpperCase(Locale.ROOT), new URI(url));
      bodies.body().ifPresent(it -> builder.body(it.contentType(), it.bytes()));
      headers.forEach(it -> addHeader(builder, it));
      if (key != null) {
        builder.key(key);
      }
      if (type != null) {
        builder.type(type);
      }
      if (orderingKey != null) {
        builder.orderingKey(orderingKey);
      }
      return builder.build();
    } catch (IllegalArgumentException | URISyntaxException e) {
      throw new Misuse(CommandException.reason(e));
    }
  }

  private static void addHeader(Operation.Builder builder, String header) {
    int colon = header.indexOf(':');
    if (colon < 1) {
      throw new Misuse("--header must be 'Name: value'");
    }
    String name = header.substring(0, colon).strip();
    if (name.equalsIgnoreCase("Authorization") || name.equalsIgnoreCase("Cookie")) {
      throw new Misuse("other users can read arguments: give credentials with --token-env <name>");
    }
    builder.header(name, header.substring(colon + 1).strip());
  }

  private int enqueue(Path file, Operation operation) throws InterruptedException {
    QueueProgressPrinter progress = new QueueProgressPrinter(session);
    CompletableFuture<Boolean> replayed = new CompletableFuture<>();
    OfflineQueue.Builder builder =
        OfflineQueue.builder(file, clients.client(session).build())
            .listener(
                event -> {
                  progress.on(event);
                  if (event instanceof QueueEvent.Ended ended
                      && ended.operation().id().equals(operation.id())) {
                    replayed.complete(ended.isReplayed());
                  }
                })
            .paused();
    try (OfflineQueue queue = builder.open()) {
      queue.enqueue(
          operation,
          allowDuplicate ? EnqueueOptions.DEFAULT.allowingDuplicate() : EnqueueOptions.DEFAULT);
      new OperationPrinter(session, output).print(QueueOptions.require(queue, operation.id()));
      return noWait ? 0 : await(queue, operation.id(), replayed);
    } catch (DuplicateOperationException e) {
      throw new CommandException(
          "the queue has the same request as operation %s: if both are wanted, add --allow-duplicate"
              .formatted(Text.printable(e.existingId())),
          e);
    }
  }

  private int await(OfflineQueue queue, String id, CompletableFuture<Boolean> replayed)
      throws InterruptedException {
    Deadline deadline = timeouts.deadline();
    queue.credentialsChanged(); // They were read again.
    queue.resume();
    while (true) {
      try {
        QueuedOperation ended = queue.awaitResult(id, TICK);
        return new ResultPrinter(session, output).print(ended, isReplayed(replayed));
      } catch (TimeoutException e) {
        if (queue.parked().isPresent()) {
          session.note("once: " + queue.parked().get() + ": check --token-env; it stays queued");
          return Cli.FAILED;
        }
        if (deadline.isOver()) {
          session.note("once: the time is over; operation " + id + " stays in the queue");
          return ResultPrinter.UNKNOWN;
        }
      }
    }
  }

  /** If another process has sent it, there is no event here, and a replay cannot be told. */
  private static boolean isReplayed(CompletableFuture<Boolean> replayed)
      throws InterruptedException {
    try {
      return replayed.get(EVENT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return false;
    }
  }
}
