package dev.once.jdbc.internal;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Fills a statement's parameters from left to right. */
public final class Parameters {
  private final PreparedStatement statement;
  private int index;

  public Parameters(PreparedStatement statement) {
    this.statement = statement;
  }

  public Parameters text(@Nullable String value) throws SQLException {
    statement.setString(++index, value);
    return this;
  }

  public Parameters number(long value) throws SQLException {
    statement.setLong(++index, value);
    return this;
  }

  public Parameters number(int value) throws SQLException {
    statement.setInt(++index, value);
    return this;
  }

  public Parameters number(OptionalLong value) throws SQLException {
    if (value.isPresent()) {
      return number(value.getAsLong());
    }
    statement.setNull(++index, Types.BIGINT);
    return this;
  }

  public Parameters number(OptionalInt value) throws SQLException {
    if (value.isPresent()) {
      return number(value.getAsInt());
    }
    statement.setNull(++index, Types.INTEGER);
    return this;
  }

  public Parameters flag(boolean value) throws SQLException {
    statement.setBoolean(++index, value);
    return this;
  }

  public Parameters duration(Duration value) throws SQLException {
    return number(micros(value));
  }

  public Parameters time(@Nullable Instant value) throws SQLException {
    statement.setTimestamp(++index, value == null ? null : Timestamp.from(value));
    return this;
  }

  /** Sets an array of the SQL type {@code type} with one value per item. */
  public <T> Parameters array(String type, List<T> items, Function<T, @Nullable Object> value)
      throws SQLException {
    return array(type, items.stream().map(value).toArray());
  }

  /**
   * Sets a text array with one value per item. The driver writes typed arrays faster than others.
   */
  public <T> Parameters texts(List<T> items, Function<T, String> value) throws SQLException {
    String[] values = new String[items.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(items.get(i));
    }
    return array("text", values);
  }

  /** Sets a bigint array with one value per item. */
  public <T> Parameters numbers(List<T> items, ToLongFunction<T> value) throws SQLException {
    Long[] values = new Long[items.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.applyAsLong(items.get(i));
    }
    return array("bigint", values);
  }

  /** Sets a bigint array with a value or null per item. */
  public <T> Parameters optionalNumbers(List<T> items, Function<T, OptionalLong> value)
      throws SQLException {
    @Nullable Long[] values = new Long[items.size()];
    for (int i = 0; i < values.length; i++) {
      OptionalLong number = value.apply(items.get(i));
      values[i] = number.isPresent() ? number.getAsLong() : null;
    }
    return array("bigint", values);
  }

  /** Sets an integer array with one value per item. */
  public <T> Parameters integers(List<T> items, ToIntFunction<T> value) throws SQLException {
    Integer[] values = new Integer[items.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.applyAsInt(items.get(i));
    }
    return array("integer", values);
  }

  /** Sets a boolean array with one value per item. */
  public <T> Parameters flags(List<T> items, Predicate<T> value) throws SQLException {
    Boolean[] values = new Boolean[items.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.test(items.get(i));
    }
    return array("boolean", values);
  }

  /** Sets a bytea array with one value per item. */
  public <T> Parameters byteArrays(List<T> items, Function<T, byte @Nullable []> value)
      throws SQLException {
    return array("bytea", items.stream().map(value).toArray(byte[][]::new));
  }

  private Parameters array(String type, @Nullable Object[] values) throws SQLException {
    statement.setArray(++index, statement.getConnection().createArrayOf(type, values));
    return this;
  }

  public static long micros(Duration value) {
    return TimeUnit.MICROSECONDS.convert(value);
  }

  public Parameters bytes(byte @Nullable [] value) throws SQLException {
    if (value == null) {
      statement.setNull(++index, Types.BINARY);
    } else {
      statement.setBytes(++index, value);
    }
    return this;
  }
}
