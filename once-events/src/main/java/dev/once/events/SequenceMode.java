package dev.once.events;

import java.util.Locale;

/**
 * Where the sequences of events come from that are kept outside PostgreSQL. A log keeps its mode:
 * modes do not know each other.
 */
public enum SequenceMode {
  /**
   * They are reserved in PostgreSQL before the event is written. The log is exact: a reader misses
   * no event.
   */
  POSTGRES,
  /**
   * They are the next ones after the last that is listed, without a database. Each sequence has one
   * event, but the log is best effort: an event that becomes visible later than the read delay
   * after its time, because its writer was slow or the clocks of two nodes differ by more than
   * that, may be behind the position of a reader. Only a look back finds it.
   */
  S3,
  /** The caller gives them, by {@link AppendCondition#at}. The log is best effort, as with S3. */
  OFF;

  /**
   * Returns the mode of this name, in any case: {@code postgres}, {@code s3} or its older name
   * {@code legacy}, {@code off}.
   */
  public static SequenceMode named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "postgres" -> POSTGRES;
      case "s3", "legacy" -> S3;
      case "off" -> OFF;
      default ->
          throw new IllegalArgumentException(
              "mode must be postgres, s3, legacy or off, got " + name);
    };
  }

  /**
   * Makes sure that only the side which has to gives the sequence. Stores call it.
   *
   * @throws IllegalArgumentException if a condition has no sequence in mode off, or has one in
   *     another mode
   */
  public void check(AppendCondition condition) {
    boolean isGiven = condition.given().isPresent();
    if (this == OFF && !isGiven) {
      throw new IllegalArgumentException(
          "in mode off the caller gives the sequence: use AppendCondition.at");
    }
    if (this != OFF && isGiven) {
      throw new IllegalArgumentException(
          "in mode %s the store gives the sequence: do not use AppendCondition.at"
              .formatted(name().toLowerCase(Locale.ROOT)));
    }
  }
}
