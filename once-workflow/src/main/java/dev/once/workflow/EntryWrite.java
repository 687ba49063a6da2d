package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Collects what is written for one call of a workflow's code. Used once, by one thread. */
final class EntryWrite {
  private final String path;
  private final EntryKind kind;
  private final String name;
  private final EntryState state;
  private @Nullable String input;
  private int failedAttempts;
  private byte @Nullable [] value;
  private byte @Nullable [] failure;
  private OptionalLong delayMicros = OptionalLong.empty();
  private @Nullable Instant dueAt;
  private boolean registersCompensation;

  private EntryWrite(String path, EntryKind kind, String name, EntryState state) {
    this.path = path;
    this.kind = kind;
    this.name = name;
    this.state = state;
  }

  static EntryWrite of(String path, EntryKind kind, String name, EntryState state) {
    return new EntryWrite(path, kind, name, state);
  }

  EntryWrite input(@Nullable String it) {
    input = it;
    return this;
  }

  EntryWrite failedAttempts(int it) {
    failedAttempts = it;
    return this;
  }

  EntryWrite value(byte @Nullable [] it) {
    value = it;
    return this;
  }

  EntryWrite failure(byte @Nullable [] it) {
    failure = it;
    return this;
  }

  /** Sets how long it waits from now on, by the database's clock. */
  EntryWrite delay(Duration it) {
    delayMicros = OptionalLong.of(Parameters.micros(it));
    return this;
  }

  EntryWrite dueAt(Instant it) {
    dueAt = it;
    return this;
  }

  /** Writes the entry of the step's compensation too. */
  EntryWrite registersCompensation(boolean it) {
    registersCompensation = it;
    return this;
  }

  void bind(Parameters parameters) throws SQLException {
    parameters
        .text(path)
        .text(kind.code())
        .text(name)
        .text(input)
        .text(state.code())
        .number(failedAttempts)
        .bytes(value)
        .bytes(failure)
        .number(delayMicros)
        .time(dueAt)
        .flag(registersCompensation);
  }

  /** Returns whether it can be written together with entries of other runs. */
  boolean isIndependent() {
    return switch (kind) {
      case STEP, COMPENSATION -> true;
      case TIMER -> dueAt == null;
      case SIGNAL, CHILD, CHOICE -> false; // They change more than their entry.
    };
  }

  int bytes() {
    return (value == null ? 0 : value.length) + (failure == null ? 0 : failure.length);
  }

  /** Binds all of {@code entries}, which are independent. */
  static void bind(Parameters parameters, List<EntryWrite> entries) throws SQLException {
    parameters
        .texts(entries, it -> it.path)
        .texts(entries, it -> it.kind.code())
        .texts(entries, it -> it.name)
        .array("text", entries, it -> it.input)
        .texts(entries, it -> it.state.code())
        .integers(entries, it -> it.failedAttempts)
        .byteArrays(entries, it -> it.value)
        .byteArrays(entries, it -> it.failure)
        .optionalNumbers(entries, it -> it.delayMicros)
        .flags(entries, it -> it.registersCompensation);
  }

  /** Puts into {@code history} what this wrote. */
  void addTo(History history) {
    // When it is due is not known here, and no matter before the next activation.
    history.put(
        new Entry(
            path, kind, name, input, state, failedAttempts, value, failure, Optional.empty(), 0));
    if (registersCompensation) {
      history.register(path + Compensations.SUFFIX, name);
    }
  }
}
