package dev.once.jdbc.spi;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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

  /** One value of each of {@code items}, as an array of the SQL type {@code type}. */
  public <T> Parameters array(String type, List<T> items, Function<T, @Nullable Object> value)
      throws SQLException {
    Object[] values = items.stream().map(value).toArray();
    statement.setArray(++index, statement.getConnection().createArrayOf(type, values));
    return this;
  }

  /** The same for bytes. */
  public <T> Parameters byteArrays(List<T> items, Function<T, byte @Nullable []> value)
      throws SQLException {
    byte[][] values = items.stream().map(value).toArray(byte[][]::new);
    statement.setArray(++index, statement.getConnection().createArrayOf("bytea", values));
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
