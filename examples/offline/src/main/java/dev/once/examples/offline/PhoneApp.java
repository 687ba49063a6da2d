package dev.once.examples.offline;

import dev.once.client.Backoff;
import dev.once.client.OfflineQueue;
import dev.once.client.OnceHttpClient;
import dev.once.client.Operation;
import dev.once.client.OperationState;
import dev.once.client.QueueEvent;
import dev.once.client.QueuedOperation;
import dev.once.client.RetryRules;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The app of a phone, a process of its own: it stores what its user writes in a queue, which sends
 * it when it can. It is killed at any time, and goes on with the same file.
 */
final class PhoneApp implements AutoCloseable {
  /** Short, so that an operation of a killed app is sent again soon. */
  private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(2);

  /** The longest pause is short, because people watch. */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), Duration.ofMillis(500), Duration.ofSeconds(2));

  private final String url;
  private final PrintStream output;
  private final OfflineQueue queue;

  private PhoneApp(String url, Path file, PrintStream output) {
    this.url = url;
    this.output = output;
    OnceHttpClient client =
        OnceHttpClient.builder(RetryRules.mobile()).attemptTimeout(ATTEMPT_TIMEOUT).build();
    this.queue =
        OfflineQueue.builder(file, client).backoff(BACKOFF).listener(this::on).paused().open();
  }

  /** Runs until the input ends. Its first two lines are the address of the API and the file. */
  static void main(InputStream stream, PrintStream output) throws IOException {
    var input = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    try (PhoneApp app = new PhoneApp(input.readLine(), Path.of(input.readLine()), output)) {
      app.start();
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        app.execute(PhoneCommand.read(line));
      }
    }
  }

  /** Says what is in the queue, and starts to send it. */
  private void start() {
    for (QueuedOperation it : queue.list(OperationState.PENDING, OperationState.SENDING)) {
      say(queued(it.operation()));
    }
    say(PhoneEvent.of(PhoneEvent.Kind.READY, ""));
    queue.resume();
  }

  private void execute(PhoneCommand command) {
    try {
      switch (command.kind()) {
        case WRITE -> queue.enqueue(RoomOperation.of(url, command));
        case EDIT -> edit(command.id(), command.name());
      }
    } catch (IllegalArgumentException | IllegalStateException e) {
      say(new PhoneEvent(PhoneEvent.Kind.REFUSED, command.id(), reason(e), command.name()));
    }
  }

  private void edit(String id, String name) {
    Operation original =
        queue
            .find(id)
            .orElseThrow(() -> new IllegalArgumentException("there is no such operation"))
            .operation();
    String carrier = queue.edit(id, "application/json", RoomOperation.body(original, name));
    Operation changed = queue.find(carrier).orElseThrow().operation();
    if (carrier.equals(id)) {
      say(new PhoneEvent(PhoneEvent.Kind.EDITED, id, changed.key(), name));
    } else {
      say(new PhoneEvent(PhoneEvent.Kind.FOLLOWED, id, carrier, name));
    }
  }

  private static PhoneEvent queued(Operation it) {
    return new PhoneEvent(PhoneEvent.Kind.QUEUED, it.id(), it.key(), RoomOperation.name(it.body()));
  }

  private void on(QueueEvent event) {
    if (event instanceof QueueEvent.Enqueued it) {
      say(queued(it.operation()));
    } else if (event instanceof QueueEvent.Sending it) {
      say(PhoneEvent.of(PhoneEvent.Kind.SENDING, it.operation().id()));
    } else if (event instanceof QueueEvent.Waiting it) {
      say(new PhoneEvent(PhoneEvent.Kind.WAITING, it.operation().id(), it.reason(), ""));
    } else if (event instanceof QueueEvent.Ended it) {
      say(ended(it.operation(), it.isReplayed()));
    } else if (event instanceof QueueEvent.Trouble it) {
      say(new PhoneEvent(PhoneEvent.Kind.REFUSED, "", it.what() + ": " + it.cause(), ""));
    }
  }

  private static PhoneEvent ended(QueuedOperation it, boolean isReplayed) {
    if (it.state() != OperationState.DONE) {
      return new PhoneEvent(
          PhoneEvent.Kind.FAILED, it.id(), it.reason().orElse(it.state().name()), "");
    }
    return PhoneEvent.of(isReplayed ? PhoneEvent.Kind.REPLAYED : PhoneEvent.Kind.DONE, it.id());
  }

  private static String reason(RuntimeException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  /** A line per event; the parent process reads it even if this one is killed right afterwards. */
  private void say(PhoneEvent event) {
    synchronized (output) {
      output.println(event.line());
      output.flush();
    }
  }

  @Override
  public void close() {
    queue.close();
  }
}
