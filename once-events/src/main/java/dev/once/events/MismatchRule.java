package dev.once.events;

import dev.once.Fingerprint;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;

/** What happens if an event's id was used for an event that says something else. */
public enum MismatchRule {
  /** The append is refused. */
  ERROR {
    @Override
    public void apply(EventData event, Fingerprint first, Fingerprint second) {
      throw new EventMismatchException(event.id(), first, second);
    }
  },
  /** The append is taken for a retry of the first one, and a warning is logged. */
  WARN {
    @Override
    public void apply(EventData event, Fingerprint first, Fingerprint second) {
      LOG.log(Level.WARNING, new EventMismatchException(event.id(), first, second).getMessage());
    }
  };

  private static final Logger LOG = System.getLogger(MismatchRule.class.getName());

  /**
   * Handles an append of {@code event} under an id that was used before. Stores call it.
   *
   * @param first the fingerprint of the event that has the id
   * @param second the fingerprint of {@code event}
   * @throws EventMismatchException if the append is refused
   */
  public abstract void apply(EventData event, Fingerprint first, Fingerprint second);

  /** Returns the rule of this name, in any case: {@code error} or {@code warn}. */
  public static MismatchRule named(String name) {
    try {
      return valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("rule must be error or warn, got " + name, e);
    }
  }
}
