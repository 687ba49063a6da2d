package dev.once.bench;

/** A common way to do it, written by us at its best: fast and correct are the same calls. */
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
