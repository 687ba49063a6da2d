package dev.once.events;

import dev.once.internal.Limits;

/**
 * The state of an aggregate after an event, so that a reader starts from it instead of from the
 * first event. Immutable.
 */
public final class Snapshot {
  private final Aggregate aggregate;
  private final long sequence;
  private final byte[] data;

  private Snapshot(Aggregate aggregate, long sequence, byte[] data) {
    this.aggregate = aggregate;
    this.sequence = sequence;
    this.data = data;
  }

  /**
   * Returns a snapshot.
   *
   * @param sequence the sequence of the last event that it contains
   * @param data the state as the application writes it; shared, not copied: do not change it
   */
  public static Snapshot of(Aggregate aggregate, long sequence, byte[] data) {
    Limits.range("sequence", sequence, 1, Long.MAX_VALUE);
    Limits.range("bytes in a snapshot", data.length, 0, EventData.MAX_DATA_BYTES);
    return new Snapshot(aggregate, sequence, data);
  }

  public Aggregate aggregate() {
    return aggregate;
  }

  public long sequence() {
    return sequence;
  }

  /** Returns the state, shared, not copied: do not change it. */
  public byte[] data() {
    return data;
  }
}
