package dev.once.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Counts the statements that are sent, each of which is a round trip. */
final class CountingDataSource {
  private static final Set<String> EXECUTIONS =
      Set.of("execute", "executeQuery", "executeUpdate", "commit", "rollback");

  private final AtomicInteger executions = new AtomicInteger();
  private final DataSource dataSource;

  CountingDataSource(DataSource dataSource) {
    this.dataSource = counting(DataSource.class, dataSource);
  }

  DataSource dataSource() {
    return dataSource;
  }

  int executions() {
    return executions.get();
  }

  void reset() {
    executions.set(0);
  }

  private <T> T counting(Class<T> type, T target) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (EXECUTIONS.contains(method.getName())) {
            executions.incrementAndGet();
          }
          return wrap(call(target, method, arguments));
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private @Nullable Object wrap(@Nullable Object result) {
    if (result instanceof Connection it) {
      return counting(Connection.class, it);
    }
    if (result instanceof PreparedStatement it) {
      return counting(PreparedStatement.class, it);
    }
    return result instanceof Statement it ? counting(Statement.class, it) : result;
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
