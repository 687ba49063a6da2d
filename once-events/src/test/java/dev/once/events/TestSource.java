package dev.once.events;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A source of connections that a test changes. */
interface TestSource {
  Connection connect() throws SQLException;

  /** Returns a source that asks this one for connections. */
  default DataSource toDataSource() {
    return (DataSource)
        Proxy.newProxyInstance(
            TestSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection")) {
                return connect();
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  /** Runs something after a method of a connection has returned. */
  interface AfterCall {
    void called(String method) throws SQLException;
  }

  /** Returns {@code connection}, whose calls are followed by {@code after}. */
  static Connection observe(Connection connection, AfterCall after) {
    return (Connection)
        Proxy.newProxyInstance(
            TestSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              after.called(method.getName());
              return result;
            });
  }

  /** The call of a method of a connection. */
  interface Call {
    @Nullable Object run() throws Exception;
  }

  /** Decides whether a call is made, and what it returns. */
  interface Interceptor {
    @Nullable Object intercept(String method, Call call) throws Exception;
  }

  /** Returns {@code connection}, whose calls pass {@code interceptor}. */
  static Connection intercept(Connection connection, Interceptor interceptor) {
    return (Connection)
        Proxy.newProxyInstance(
            TestSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                interceptor.intercept(
                    method.getName(),
                    () -> {
                      try {
                        return method.invoke(connection, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause() instanceof Exception it ? it : e;
                      }
                    }));
  }
}
