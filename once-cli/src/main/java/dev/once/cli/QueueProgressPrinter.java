package dev.once.cli;

import dev.once.client.QueueEvent;
import dev.once.client.QueueListener;
import java.util.Locale;

/** Says on standard error why operations wait. */
record QueueProgressPrinter(Session session) implements QueueListener {
  @Override
  public void on(QueueEvent event) {
    if (event instanceof QueueEvent.Waiting waiting) {
      session.note(
          String.format(
              Locale.ROOT,
              "operation %s waits %.1f s: %s",
              Text.printable(waiting.operation().id()),
              waiting.pause().toMillis() / 1000.0,
              Text.printable(waiting.reason())));
    } else if (event instanceof QueueEvent.Trouble trouble) {
      session.note(
          "%s failed and is tried again: %s"
              .formatted(trouble.what(), Text.printable(CommandException.reason(trouble.cause()))));
    }
  }
}
