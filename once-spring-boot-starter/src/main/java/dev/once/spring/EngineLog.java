package dev.once.spring;

import dev.once.EngineEvent;
import dev.once.OnceListener;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs each call that did not end with a recorded outcome. */
final class EngineLog implements OnceListener {
  private static final Logger LOG = LoggerFactory.getLogger(EngineLog.class);

  /** Events of calls that were executed, replayed or refused as intended. */
  static final Set<Class<? extends EngineEvent>> ORDINARY =
      Set.of(
          EngineEvent.Granted.class,
          EngineEvent.Completed.class,
          EngineEvent.Replayed.class,
          EngineEvent.Held.class,
          EngineEvent.Mismatched.class,
          EngineEvent.Uncertain.class);

  @Override
  public void on(EngineEvent event) {
    if (event instanceof EngineEvent.OutcomeUnknown it) {
      write(Level.ERROR, "once.outcome_unknown", it, it.fence(), it.cause());
    } else if (event instanceof EngineEvent.Unreadable it) {
      about(Level.ERROR, "once.unreadable", it)
          .with("key_id", it.keyId().orElse("none"))
          .cause(it.cause())
          .write();
    } else if (event instanceof EngineEvent.Limited it) {
      // A tenant at its limit may call often: the metric counts the calls.
      about(Level.DEBUG, "once.limited", it)
          .with("limit", it.limit().name().toLowerCase(Locale.ROOT))
          .write();
    } else if (event instanceof EngineEvent.LeaseLost it) {
      write(Level.WARN, "once.lease_lost", it, it.fence(), it.cause());
    } else if (event instanceof EngineEvent.Abandoned it) {
      write(Level.WARN, "once.abandoned", it, it.fence(), it.cause());
    } else if (event instanceof EngineEvent.Released it) {
      // The exception of the handler is logged where it is handled.
      write(Level.DEBUG, "once.released", it, it.fence(), it.cause());
    } else if (!ORDINARY.contains(event.getClass())) {
      throw new AssertionError("unhandled event " + event.getClass());
    }
  }

  private static void write(
      Level level, String name, EngineEvent event, long fence, Throwable cause) {
    about(level, name, event).with("fence", fence).cause(cause).write();
  }

  private static LogLine about(Level level, String name, EngineEvent event) {
    return LogLine.of(LOG, level, name)
        .with("tenant", event.key().tenant())
        .with("scope", event.key().scope())
        .with("key_hash", event.key()::shortHash);
  }
}
