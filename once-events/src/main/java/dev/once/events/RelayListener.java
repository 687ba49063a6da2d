package dev.once.events;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Is notified of what a relay does, on the relay's thread: for logs, metrics and alerts. */
public interface RelayListener {
  /** Called at the metrics interval. */
  void report(RelayReport report);

  /**
   * Called if reading, publishing or saving failed; the relay tries again. Of failures in a row
   * these are the first, and then one per metrics interval: {@link RelayReport#failures} has all.
   */
  void failed(String relay, Throwable failure);

  /** Returns a listener that writes to the log of the platform. */
  static RelayListener logging() {
    Logger log = System.getLogger(Relay.class.getName());
    return new RelayListener() {
      @Override
      public void report(RelayReport report) {
        log.log(Level.INFO, report.toString());
      }

      @Override
      public void failed(String relay, Throwable failure) {
        log.log(Level.WARNING, "event_publisher.failed relay=" + relay, failure);
      }
    };
  }
}
