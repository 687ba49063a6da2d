package dev.once.bench;

import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Everybody who takes part, over one database. */
final class Contestants implements AutoCloseable {
  private final Once once;
  private final OnceStore store;
  private final OnceEngine engine;
  private final ByHand byHand;
  private final List<Contestant> all;

  Contestants(BenchDatabase database) {
    this.once = Once.over(JdbcRecordStore.over(database.pool()));
    this.store = new OnceStore(database);
    this.engine = new OnceEngine(database, once);
    this.byHand = new ByHand(database);
    this.all =
        List.of(
            store,
            engine,
            new OnceInTransaction(database, once),
            byHand,
            new Camel(database),
            new SpringIntegration(database));
  }

  List<Contestant> all() {
    return all;
  }

  /** The one that others are compared with. */
  Contestant store() {
    return store;
  }

  Contestant engine() {
    return engine;
  }

  /** Whether {@code contestant} is another way to use Once, rather than something beside it. */
  boolean isOnce(Contestant contestant) {
    return !(contestant instanceof ByHand
        || contestant instanceof Camel
        || contestant instanceof SpringIntegration);
  }

  /** How much of its speed Once shall reach: nearly all of the limit, and more than the others. */
  double aim(Contestant contestant) {
    return contestant == byHand ? 0.95 : 1.0;
  }

  /** Makes sure that every call that was measured left a row behind. */
  void requireDone(Map<Contestant, Long> calls) {
    calls.forEach(
        (contestant, expected) -> {
          try {
            if (contestant.done() != expected) {
              throw new IllegalStateException(
                  "%s made %d calls and left %d keys done"
                      .formatted(contestant.name(), expected, contestant.done()));
            }
          } catch (SQLException e) {
            throw new IllegalStateException("cannot count for " + contestant.name(), e);
          }
        });
  }

  @Override
  public void close() {
    once.close();
  }
}
