package dev.once.bench;

import java.util.OptionalLong;

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

  /**
   * What the tables say about a contestant.
   *
   * @param commits the number of commits, each flushed to the disk, that a new key takes
   * @param note what follows from a crash between claim and completion, and what a duplicate gets
   * @param replayNote what {@link #replay} does; empty if it is not measured
   */
  record Profile(String name, Role role, int commits, String note, String replayNote) {}

  /** The operation that must happen once per key. */
  @FunctionalInterface
  interface Effect {
    /**
     * Performs the effect.
     *
     * @param fence rises with each owner of the key, if the contestant has fences
     * @return the answer
     */
    String perform(OptionalLong fence) throws Exception;

    /** Performs the effect for a contestant without fences. */
    default String perform() throws Exception {
      return perform(OptionalLong.empty());
    }
  }

  Profile profile();

  /** Performs {@code effect} unless an earlier call did, as an application would. */
  Reply call(String key, Effect effect) throws Exception;

  /** Returns the number of completed keys, counted in the store. */
  long done() throws Exception;

  default String name() {
    return profile().name();
  }

  /** Claims an unused key and completes it. */
  default void execute(String key) throws Exception {
    require(Reply.Executed.class, call(key, fence -> Sample.TEXT));
  }

  /** Replays a completed key, as fast as the contestant can. */
  default void replay(String key) throws Exception {
    require(Reply.Replayed.class, call(key, fence -> Sample.TEXT));
  }

  private static void require(Class<? extends Reply> expected, Reply reply) {
    if (!expected.isInstance(reply)) {
      throw new IllegalStateException(
          "the reply must be %s, got %s".formatted(expected.getSimpleName(), reply));
    }
  }
}
