package dev.once.bench;

/** A common pattern, implemented as well as we can: the fast calls are also the correct ones. */
interface Pattern extends Contestant {
  @Override
  default Role role() {
    return Role.PEER;
  }

  @Override
  default void execute(String key) throws Exception {
    if (!(call(key, fence -> Sample.TEXT) instanceof Reply.Executed)) {
      throw new IllegalStateException("not executed: " + key);
    }
  }

  @Override
  default void replay(String key) throws Exception {
    if (!(call(key, fence -> Sample.TEXT) instanceof Reply.Replayed)) {
      throw new IllegalStateException("not replayed: " + key);
    }
  }
}
