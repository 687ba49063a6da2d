package dev.once.jdbc;

import java.sql.SQLException;
import javax.sql.DataSource;

/** Refuses sources whose database depends on the calling thread. */
final class RoutingSources {
  private static final String SPRING =
      "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource";

  private RoutingSources() {}

  /** Throws if {@code dataSource} is known to choose the database by the calling thread. */
  static void refuse(DataSource dataSource) {
    if (isRouting(dataSource)) {
      throw new IllegalArgumentException(
          "%s chooses the database by the calling thread, and this store calls from threads of its"
                  .formatted(dataSource.getClass().getName())
              + " own: give it the DataSource of one database, or say how to find a tenant's"
              + " database by JdbcRecordStore.builder(…).routing(…)");
    }
  }

  private static boolean isRouting(DataSource dataSource) {
    try {
      Class<?> routing = Class.forName(SPRING, false, dataSource.getClass().getClassLoader());
      return routing.isInstance(dataSource) || dataSource.isWrapperFor(routing);
    } catch (ClassNotFoundException | SQLException | RuntimeException e) {
      return false; // Spring is not present, or the source cannot be inspected.
    }
  }
}
