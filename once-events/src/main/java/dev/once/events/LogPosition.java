package dev.once.events;

/** A place in the log on PostgreSQL: after the event at {@code position} of {@code xact}. */
record LogPosition(long xact, long position) {
  private static final LogPosition START = new LogPosition(0, 0);

  static LogPosition parse(String text) {
    if (text.equals(EventLog.START)) {
      return START;
    }
    try {
      int separator = text.indexOf(':');
      return new LogPosition(
          Long.parseLong(text.substring(0, separator)),
          Long.parseLong(text.substring(separator + 1)));
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "position must be one that this log returned, got " + text, e);
    }
  }

  @Override
  public String toString() {
    return equals(START) ? EventLog.START : xact + ":" + position;
  }
}
