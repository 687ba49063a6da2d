package dev.once.effects;

import java.nio.charset.StandardCharsets;

/** What an event does to the state that another system keeps for the event's aggregate. */
public sealed interface StateChange {
  /** Replaces the state. */
  final class Put implements StateChange {
    private final byte[] value;

    private Put(byte[] value) {
      this.value = value;
    }

    /** Returns the new state, shared, not copied: do not change it. */
    public byte[] value() {
      return value;
    }

    String text() {
      return new String(value, StandardCharsets.UTF_8);
    }

    /** Does not show the state. */
    @Override
    public String toString() {
      return "Put[" + value.length + " bytes]";
    }
  }

  /** Deletes the state. */
  record Delete() implements StateChange {}

  /** Leaves the state as it is. */
  record None() implements StateChange {}

  static StateChange put(String text) {
    return put(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Replaces the state by these bytes, such as the data of an event. Do not change them. */
  static StateChange put(byte[] value) {
    return new Put(value);
  }

  static StateChange delete() {
    return new Delete();
  }

  static StateChange none() {
    return new None();
  }
}
