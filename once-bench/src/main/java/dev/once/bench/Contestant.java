package dev.once.bench;

/**
 * A way to do something once per key. Every contestant uses the same pool or connection, has its
 * table and indexes as its makers recommend, and fails loudly when a step has another effect than
 * the one it was called for. Thread-safe.
 */
interface Contestant {
  /** What somebody takes part as. */
  enum Role {
    ONCE,
    /** The same work as Once's, without Once. */
    BY_HAND,
    /** A product or a common pattern. */
    PEER
  }

  String name();

  /** What a crash between claim and completion means, and what a duplicate gets. */
  String note();

  /** What {@link #replay} finds out. */
  String replayNote();

  /** How many commits, each flushed to the disk, a new key takes. */
  int commits();

  Role role();

  /** Claims a key that nobody has used and marks it as done, as fast as it can. */
  void execute(String key) throws Exception;

  /** Asks for a key that is done, as fast as it can. */
  void replay(String key) throws Exception;

  /** Performs {@code effect} unless an earlier call did, as an application would. */
  Reply call(String key, Effect effect) throws Exception;

  /** How many keys are done, counted where they are kept. */
  long done() throws Exception;
}
