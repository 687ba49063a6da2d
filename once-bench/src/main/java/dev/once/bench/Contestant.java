package dev.once.bench;

/**
 * A way to do something once per key. Every contestant uses the same pool or connection, has its
 * table and indexes as its authors recommend, and throws if a step has another effect than the one
 * it was called for. Thread-safe.
 */
interface Contestant {
  /** The kind of a contestant. */
  enum Role {
    ONCE,
    /** The same work as Once's, without Once. */
    BY_HAND,
    /** A product or a common pattern. */
    PEER
  }

  String name();

  /**
   * Describes what follows from a crash between claim and completion, and what a duplicate gets.
   */
  String note();

  /** Describes what {@link #replay} returns. */
  String replayNote();

  /** Returns the number of commits, each flushed to the disk, that a new key takes. */
  int commits();

  Role role();

  /** Claims an unused key and completes it, as fast as the contestant can. */
  void execute(String key) throws Exception;

  /** Replays a completed key, as fast as the contestant can. */
  void replay(String key) throws Exception;

  /** Performs {@code effect} unless an earlier call did, as an application would. */
  Reply call(String key, Effect effect) throws Exception;

  /** Returns the number of completed keys, counted in the store. */
  long done() throws Exception;
}
