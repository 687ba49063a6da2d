package dev.once.bench;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/** Calls again while the key is busy, as a client that retries does. */
record Client(Contestant contestant, EffectRows effects, Duration patience) {
  private static final long PAUSE_NANOS = Duration.ofMillis(2).toNanos();

  /** Returns the reply; {@code answer} is the result if this call performs the effect. */
  Reply ask(String key, String answer) throws Exception {
    return ask(key, fence -> perform(key, answer, fence));
  }

  private Reply ask(String key, Effect effect) throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    Reply reply = contestant.call(key, effect);
    while (reply instanceof Reply.Busy && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
      reply = contestant.call(key, effect);
    }
    return reply;
  }

  /** Takes a moment, as effects do. */
  private String perform(String key, String answer, OptionalLong fence) throws Exception {
    LockSupport.parkNanos(PAUSE_NANOS);
    effects.write(key, answer, fence);
    return answer;
  }
}
