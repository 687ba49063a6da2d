package dev.once.examples.planning;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.UUID;

/** A position in a list that is ordered by time and then by id. Clients see it as opaque text. */
record Cursor(Instant at, UUID id) {
  /** The position before the first item. */
  static final Cursor FIRST = new Cursor(Instant.EPOCH, new UUID(0, 0));

  /** The position after the last item. */
  static final Cursor LAST = new Cursor(Instant.parse("9999-12-31T23:59:59Z"), new UUID(-1, -1));

  private static final int BYTES = 3 * Long.BYTES;

  /** Returns the time in the type that the driver accepts. */
  OffsetDateTime sqlTime() {
    return at.atOffset(ZoneOffset.UTC);
  }

  String text() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(microsOf(at));
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  static Cursor parse(String text) {
    byte[] bytes = decode(text);
    if (bytes.length != BYTES) {
      throw invalid();
    }
    ByteBuffer values = ByteBuffer.wrap(bytes);
    long micros = values.getLong();
    // Times outside this range would cause a database error.
    if (micros < 0 || micros > microsOf(LAST.at)) {
      throw invalid();
    }
    Instant at = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    return new Cursor(at, new UUID(values.getLong(), values.getLong()));
  }

  /**
   * Returns microseconds, the database's precision. ChronoUnit counts nanoseconds on Java 17, which
   * overflows a long.
   */
  private static long microsOf(Instant at) {
    return at.getEpochSecond() * 1_000_000 + at.getNano() / 1_000;
  }

  private static byte[] decode(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw invalid();
    }
  }

  private static Refusal invalid() {
    return Refusal.invalid("cursor", "must be the value of next in an earlier answer");
  }
}
