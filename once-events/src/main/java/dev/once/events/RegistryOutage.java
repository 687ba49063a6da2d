package dev.once.events;

/** What a consumer does while the registry cannot be reached. No effect starts in any case. */
public enum RegistryOutage {
  /**
   * The consumer waits and tries again; events stay pending, and {@link EventConsumer#isPaused} is
   * true.
   */
  PAUSE,
  /**
   * All pending and later events fail with the registry's exception. The consumer accepts nothing
   * any more, because a later event must not overtake one that failed: close it, and deliver from
   * the last settled event to a new one.
   */
  FAIL_FAST,
  /**
   * Events go to the {@link DeadLetterSink} without being handled. The registry is told when it is
   * back.
   */
  DEAD_LETTER
}
