package dev.once.jdbc.internal;

import java.sql.SQLException;
import javax.sql.DataSource;

/** Refuses sources whose database depends on the calling thread. */
public final class RoutingSources {
  private static final String SPRING =
      "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource";

  private RoutingSources() {}

  /**
   * Throws if {@code dataSource} is known to choose the database by the calling thread.
   *
   * @param otherwise what to do instead of giving the source of one database, or ""
   */
  public static void refuse(DataSource dataSource, String otherwise) {
    if (isRouting(dataSource)) {
      throw new IllegalArgumentException(
          "%s chooses the database by the calling thread, and Once calls it from threads of its own:"
                  .formatted(dataSource.getClass().getName())
              + " give it the DataSource of one database"
              + otherwise);
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
