package dev.once.events;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * The connection of a transaction as its effects see it. An effect must not end the transaction:
 * the effects before it would be committed without their registry rows, and run again.
 */
final class SharedConnection implements InvocationHandler {
  private static final Set<String> REFUSED =
      Set.of("commit", "rollback", "setAutoCommit", "close", "abort");

  /** Invalid transaction termination. */
  private static final String STATE = "2D000";

  private final Connection connection;

  private SharedConnection(Connection connection) {
    this.connection = connection;
  }

  /** Returns a view of {@code connection} that refuses to end its transaction. */
  static Connection of(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            SharedConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new SharedConnection(connection));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    boolean isOfSavepoint = method.getName().equals("rollback") && method.getParameterCount() == 1;
    if (REFUSED.contains(method.getName()) && !isOfSavepoint) {
      throw new SQLException(
          "an effect must not call %s: its transaction commits with the registry's rows"
              .formatted(method.getName()),
          STATE);
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
