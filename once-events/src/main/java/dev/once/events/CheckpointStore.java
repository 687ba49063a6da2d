package dev.once.events;

import dev.once.StoreException;

/** Keeps the checkpoints of relays. Thread-safe. */
public interface CheckpointStore {
  /** Returns the newest checkpoint of a relay, or {@link Checkpoint#NONE}. */
  Checkpoint load(String relay);

  /**
   * Saves a checkpoint, unless one with a higher fence was saved.
   *
   * @return whether it was saved; if not, another process has taken over the relay
   * @throws StoreException if it is unknown whether it was saved
   */
  boolean save(String relay, Checkpoint checkpoint);
}
