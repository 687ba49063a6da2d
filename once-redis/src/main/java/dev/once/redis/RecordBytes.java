package dev.once.redis;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Recovery;
import dev.once.spi.Packing;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads a record as {@code look.lua} describes it; only the scripts write one. */
final class RecordBytes {
  /**
   * A record's state is its place in this list, from 1. The last one is never stored: {@code
   * find.lua} returns it.
   */
  static final List<State> STATES =
      List.of(State.IN_PROGRESS, State.COMPLETED, State.FAILED, State.OPEN, State.UNCERTAIN);

  static final List<Recovery> RECOVERIES = List.of(Recovery.RERUN, Recovery.ASK);

  private static final int STATE = 1;
  private static final int ENDS = 3;
  private static final int FENCE = 11;
  private static final int LEASE = 19;
  private static final int ATTEMPTS = 27;
  private static final int CREATED = 31;
  private static final int RECOVERY = 39;
  private static final int PRINTED = 40;
  private static final int CORRELATED = 41;
  private static final int HEAD = 53;

  private final byte[] bytes;
  private final ByteBuffer head;

  RecordBytes(byte[] bytes) {
    this.bytes = bytes;
    this.head = ByteBuffer.wrap(bytes);
  }

  RecordView view(Key key, Packing packing) {
    State state = STATES.get(bytes[STATE] - 1);
    return new RecordView(
        key,
        state,
        Fingerprint.parse(text(HEAD, printed())),
        fence(),
        attempts(),
        RECOVERIES.get(bytes[RECOVERY]),
        instant(CREATED),
        instant(LEASE),
        instant(ENDS),
        correlation(),
        state == State.COMPLETED || state == State.FAILED
            ? Optional.of(outcome(key, packing))
            : Optional.empty());
  }

  boolean isInProgress() {
    return STATES.get(bytes[STATE] - 1) == State.IN_PROGRESS;
  }

  long fence() {
    return head.getLong(FENCE);
  }

  int attempts() {
    return head.getInt(ATTEMPTS);
  }

  Headers correlation() {
    return Headers.parse(text(HEAD + printed(), correlated()));
  }

  Outcome outcome(Key key, Packing packing) {
    return packing.unpack(
        key, Arrays.copyOfRange(bytes, HEAD + printed() + correlated(), bytes.length));
  }

  private int printed() {
    return Byte.toUnsignedInt(bytes[PRINTED]);
  }

  private int correlated() {
    return head.getInt(CORRELATED);
  }

  private Instant instant(int place) {
    return Instant.EPOCH.plus(head.getLong(place), ChronoUnit.MICROS);
  }

  private String text(int from, int length) {
    return new String(bytes, from, length, StandardCharsets.UTF_8);
  }
}
