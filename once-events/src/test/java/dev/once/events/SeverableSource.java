package dev.once.events;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/** The connections of a process that a test cuts off from its database. */
public final class SeverableSource {
  private final DataSource source;
  private final Queue<Connection> opened = new ConcurrentLinkedQueue<>();
  private volatile boolean severed;

  public SeverableSource(DataSource source) {
    this.source = source;
  }

  /** Ends all connections, and refuses new ones. */
  public void sever() {
    severed = true;
    for (Connection connection : opened) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  public DataSource toDataSource() {
    return ((TestSource) this::connect).toDataSource();
  }

  private Connection connect() throws SQLException {
    if (severed) {
      throw new SQLException("the connection is severed", "08006");
    }
    Connection connection = source.getConnection();
    opened.add(connection);
    if (severed) { // While this one was opened: perhaps after all others were ended.
      connection.abort(Runnable::run);
      throw new SQLException("the connection is severed", "08006");
    }
    return connection;
  }
}
