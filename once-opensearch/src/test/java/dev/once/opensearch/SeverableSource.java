package dev.once.opensearch;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A source of connections that a test severs. */
final class SeverableSource {
  private final DataSource source;
  private volatile boolean severed;

  SeverableSource(DataSource source) {
    this.source = source;
  }

  void sever() {
    severed = true;
  }

  DataSource toDataSource() {
    return (DataSource)
        Proxy.newProxyInstance(
            SeverableSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (severed) {
                throw new SQLException("the connection is severed", "08006");
              }
              try {
                return method.invoke(source, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
