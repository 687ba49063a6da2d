package dev.once.spring;

import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;

/** The application's database that has the tables of Once, and the manager of its transactions. */
record OnceDatabase(
    ChosenBean<DataSource> dataSource, ChosenBean<PlatformTransactionManager> manager) {

  static OnceDatabase of(
      ListableBeanFactory beans, @Nullable String dataSource, @Nullable String manager) {
    return new OnceDatabase(
        new ChosenBean<>(beans, DataSource.class, "once.data-source", dataSource),
        new ChosenBean<>(
            beans, PlatformTransactionManager.class, "once.transaction-manager", manager));
  }

  /**
   * Returns the DataSource for tables, before anything is created in it.
   *
   * @param what what is kept in the tables
   * @param instead how to do without, as the end of a sentence
   * @throws MisconfiguredException if there is no single one, or if it stands for several databases
   */
  DataSource requireDataSource(String what, String instead) {
    DataSource chosen = dataSource.get();
    if (chosen == null) {
      throw new MisconfiguredException(
          dataSource.problem() + " to keep " + what + " in.",
          dataSource.action(
              "Configure spring.datasource.url for a PostgreSQL database, or " + instead + "."));
    }
    if (isRouting(chosen)) {
      throw new MisconfiguredException(
          "%s chooses the database by the calling thread, but there must be one to keep %s in."
              .formatted(chosen.getClass().getName(), what),
          "Set once.data-source to the name of a DataSource of one database, or " + instead + ".");
    }
    return chosen;
  }

  /**
   * Returns the transactions on the database, or empty if the application has none.
   *
   * @param what what joins transactions
   * @throws MisconfiguredException if there is no single manager, or if it is not the one of the
   *     DataSource
   */
  Optional<ManagedTransactions> requireTransactions(DataSource chosen, String what) {
    PlatformTransactionManager one = manager.get();
    if (one != null) {
      ManagedTransactions transactions = new ManagedTransactions(one, chosen);
      requirePair(transactions, what);
      return Optional.of(transactions);
    }
    if (manager.names().isEmpty()) {
      return Optional.empty();
    }
    throw new MisconfiguredException(
        "%s, but %s to join transactions of.".formatted(what, manager.problem()),
        manager.action(""));
  }

  /**
   * Refuses a wrong pair before tables are created in the wrong one of several databases. With a
   * single DataSource the manager is not looked up so early: what it needs may need the store.
   */
  void requirePairOfSeveral(DataSource chosen, String what) {
    boolean areJoined =
        dataSource.beans().getBeanNamesForType(SpringTransactions.class, true, false).length > 0;
    if (areJoined && dataSource.names().size() > 1 && manager.get() != null) {
      requireTransactions(chosen, what);
    }
  }

  /** Refuses a manager whose transactions are not on the DataSource. */
  void requirePair(ManagedTransactions transactions, String what) {
    if (transactions.areElsewhere()) {
      throw new MisconfiguredException(
          "%s, but the transactions of %s are not on the DataSource that has the tables of Once."
              .formatted(what, transactions.manager().getClass().getSimpleName()),
          ("Set once.data-source (one of: %s) and once.transaction-manager (one of: %s) to a"
                  + " DataSource and its JdbcTransactionManager or JpaTransactionManager. Others,"
                  + " such as those of JTA, cannot be joined: use the mode leased.")
              .formatted(
                  String.join(", ", dataSource.names()), String.join(", ", manager.names())));
    }
  }

  private static boolean isRouting(DataSource source) {
    try {
      return source.isWrapperFor(AbstractRoutingDataSource.class);
    } catch (SQLException | RuntimeException e) {
      return false; // The store looks again when it is created.
    }
  }
}
