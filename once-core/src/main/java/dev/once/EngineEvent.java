package dev.once;

import java.time.Duration;
import java.util.Optional;

/** Something the engine did or observed. For metrics, traces and logs; contains no payload. */
public sealed interface EngineEvent {
  Key key();

  /** A call was granted the key and starts its effect. */
  record Granted(Key key, long fence, int attempt) implements EngineEvent {}

  /** An effect ended and its outcome is in the store. */
  record Completed(Key key, long fence, boolean failed, Duration took) implements EngineEvent {}

  /** A call was answered from the record. */
  record Replayed(Key key, Headers correlation) implements EngineEvent {}

  /** A call was answered that another call holds the key. */
  record Held(Key key, Duration leaseLeft) implements EngineEvent {}

  /** A call was refused because its key belongs to a different request. */
  record Mismatched(Key key) implements EngineEvent {}

  /** A call was refused because the effect may have happened. */
  record Uncertain(Key key) implements EngineEvent {}

  /**
   * A call was refused because the effect happened but its outcome cannot be read; {@code keyId} is
   * that of the key that sealed it, if it is sealed and that much can be read.
   */
  record Unreadable(Key key, Optional<String> keyId, Throwable cause) implements EngineEvent {}

  /** A call was refused because its tenant is at a limit; its effect did not happen. */
  record Limited(Key key, TenantLimits.Limit limit) implements EngineEvent {}

  /** An effect did not happen, and its key is open again. */
  record Released(Key key, long fence, Throwable cause) implements EngineEvent {}

  /** An effect may have happened, and its key was left to its recovery. */
  record Abandoned(Key key, long fence, Throwable cause) implements EngineEvent {}

  /** A running effect lost its lease and was interrupted. */
  record LeaseLost(Key key, long fence, Throwable cause) implements EngineEvent {}

  /** An effect ran, but its outcome could not be recorded. */
  record OutcomeUnknown(Key key, long fence, Throwable cause) implements EngineEvent {}
}
