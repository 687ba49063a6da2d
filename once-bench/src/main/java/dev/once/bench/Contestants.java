package dev.once.bench;

import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.util.List;

/** Everybody who takes part, over one database. */
final class Contestants implements AutoCloseable {
  private final Once once;
  private final List<Contestant> all;

  Contestants(BenchDatabase database) {
    this.once = Once.over(JdbcRecordStore.over(database.pool()));
    this.all =
        List.of(
            new OnceStore(database),
            new OnceEngine(database, once),
            new OnceInTransaction(database, once),
            new ByHand(database),
            new Camel(database),
            new SpringIntegration(database));
  }

  List<Contestant> all() {
    return all;
  }

  /** Ends the engine's threads; the database is somebody else's. */
  @Override
  public void close() {
    once.close();
  }
}
