package dev.once.events;

import java.util.List;

/**
 * How far a relay has published a log.
 *
 * @param position the position in the log after the last published event
 * @param fence the fence of the lease under which it was saved
 * @param recentIds ids of events that were published last, the oldest first, so that a relay that
 *     takes over publishes fewer of them again
 */
public record Checkpoint(String position, long fence, List<String> recentIds) {
  public static final Checkpoint NONE = new Checkpoint(EventLog.START, 0, List.of());

  public Checkpoint {
    recentIds = List.copyOf(recentIds);
  }
}
