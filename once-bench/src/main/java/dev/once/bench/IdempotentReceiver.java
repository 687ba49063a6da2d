package dev.once.bench;

import java.util.OptionalLong;
import java.util.concurrent.Callable;

/**
 * Performs effects once per key. It throws if a step has another effect than the one that it was
 * called for. Thread-safe.
 *
 * @param calls performs an effect unless an earlier call did, as an application would
 * @param done counts the completed keys in the store
 * @param replayNote what {@code replays} does; empty if it is not measured
 * @param replays reads a completed key as fast as the contestant can, and throws if it finds none
 */
record IdempotentReceiver(
    Calls calls, Callable<Long> done, String replayNote, Session.Action<String> replays) {
  interface Effect {
    /**
     * Performs the effect.
     *
     * @param fence rises with each owner of the key, if the contestant has fences
     * @return the answer
     */
    String perform(OptionalLong fence) throws Exception;

    default String perform() throws Exception {
      return perform(OptionalLong.empty());
    }
  }

  interface Calls {
    Reply call(String key, Effect effect) throws Exception;
  }

  /** Creates a receiver whose replay is the same call as for a new key. */
  static IdempotentReceiver of(Calls calls, Callable<Long> done) {
    return new IdempotentReceiver(
        calls,
        done,
        "",
        key -> calls.call(key, fence -> Sample.TEXT).require(Reply.Replayed.class));
  }

  IdempotentReceiver replaying(String note) {
    return replaying(note, replays);
  }

  IdempotentReceiver replaying(String note, Session.Action<String> other) {
    return new IdempotentReceiver(calls, done, note, other);
  }

  Reply call(String key, Effect effect) throws Exception {
    return calls.call(key, effect);
  }

  /** Claims an unused key and completes it. */
  void execute(String key) throws Exception {
    calls.call(key, fence -> Sample.TEXT).require(Reply.Executed.class);
  }

  void replay(String key) throws Exception {
    replays.perform(key);
  }
}
