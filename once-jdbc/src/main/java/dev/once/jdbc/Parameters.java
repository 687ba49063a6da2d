package dev.once.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Fills a statement's parameters from left to right. */
final class Parameters {
  private final PreparedStatement statement;
  private int index;

  Parameters(PreparedStatement statement) {
    this.statement = statement;
  }

  Parameters text(String value) throws SQLException {
    statement.setString(++index, value);
    return this;
  }

  Parameters number(long value) throws SQLException {
    statement.setLong(++index, value);
    return this;
  }

  Parameters number(int value) throws SQLException {
    statement.setInt(++index, value);
    return this;
  }

  Parameters flag(boolean value) throws SQLException {
    statement.setBoolean(++index, value);
    return this;
  }

  Parameters micros(Duration value) throws SQLException {
    return number(TimeUnit.MICROSECONDS.convert(value));
  }

  Parameters bytes(byte @Nullable [] value) throws SQLException {
    if (value == null) {
      statement.setNull(++index, Types.BINARY);
    } else {
      statement.setBytes(++index, value);
    }
    return this;
  }
}
