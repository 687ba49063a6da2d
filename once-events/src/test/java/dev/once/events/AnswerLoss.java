package dev.once.events;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Loses the first answer to a function's call: the database has executed it, and its caller fails.
 */
final class AnswerLoss {
  private final DataSource dataSource;
  private final String function;
  private final AtomicBoolean isPending = new AtomicBoolean(true);

  AnswerLoss(DataSource dataSource, String function) {
    this.dataSource = dataSource;
    this.function = function;
  }

  boolean happened() {
    return !isPending.get();
  }

  ProcessedEvents registry() {
    TestSource source = this::connect;
    return ProcessedEvents.builder(source.toDataSource()).schema(RegistryDatabase.SCHEMA).build();
  }

  private Connection connect() throws SQLException {
    Connection connection = dataSource.getConnection();
    return proxy(
        Connection.class,
        (method, arguments) -> {
          Object result = method.invoke(connection, arguments);
          return result instanceof PreparedStatement it
                  && String.valueOf(arguments[0]).contains(function)
              ? losing(it)
              : result;
        });
  }

  private PreparedStatement losing(PreparedStatement statement) {
    return proxy(
        PreparedStatement.class,
        (method, arguments) -> {
          Object result = method.invoke(statement, arguments);
          if (method.getName().equals("executeQuery") && isPending.getAndSet(false)) {
            throw new SQLException("the connection is gone", "08006");
          }
          return result;
        });
  }

  private interface Call {
    @Nullable Object apply(Method method, Object[] arguments) throws Exception;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            AnswerLoss.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return call.apply(method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
