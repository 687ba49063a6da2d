package dev.once.examples.pipeline;

import dev.once.events.ConsumerEvent;
import dev.once.events.ConsumerListener;
import dev.once.events.Settlement;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Logs what a consumer does, except that it handled events. */
final class ConsumerLog implements ConsumerListener {
  private static final Logger LOG = System.getLogger(ConsumerLog.class.getName());

  @Override
  public void on(ConsumerEvent event) {
    if (event instanceof ConsumerEvent.Settled settled) {
      if (settled.settlement() instanceof Settlement.Skipped
          || settled.settlement() instanceof Settlement.Dead) {
        LOG.log(Level.WARNING, settled.settlement().toString());
      }
    } else if (event instanceof ConsumerEvent.OutageStarted started) {
      LOG.log(Level.WARNING, "the registry cannot be reached", started.cause());
    } else if (event instanceof ConsumerEvent.Unreadable) {
      LOG.log(Level.WARNING, event.toString());
    } else if (event instanceof ConsumerEvent.Trouble trouble) {
      LOG.log(Level.WARNING, trouble.what(), trouble.cause());
    } else {
      LOG.log(Level.INFO, event.toString());
    }
  }
}
