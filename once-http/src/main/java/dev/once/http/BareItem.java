package dev.once.http;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;

/** The value of a structured field item or of one of its parameters (RFC 9651, section 3.3). */
sealed interface BareItem {
  /** ASCII text that was sent in quotes. */
  record StringItem(String value) implements BareItem {}

  /** A word that was sent without quotes. */
  record TokenItem(String value) implements BareItem {}

  /** A whole number of at most 15 digits. */
  record IntegerItem(long value) implements BareItem {}

  /** A number with up to 12 digits before the point and 1 to 3 after it. */
  record DecimalItem(BigDecimal value) implements BareItem {}

  /** Bytes that were sent as base64; the buffer is read-only. */
  record BytesItem(ByteBuffer value) implements BareItem {}

  /** True or false. */
  record BooleanItem(boolean value) implements BareItem {}

  /** A point in time, to the second. */
  record DateItem(Instant value) implements BareItem {}

  /** Unicode text for display to people. */
  record DisplayStringItem(String value) implements BareItem {}
}
