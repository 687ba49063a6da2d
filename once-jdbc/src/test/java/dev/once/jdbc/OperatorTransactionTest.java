package dev.once.jdbc;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.jdbc.internal.StoreThreads;
import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import dev.once.testkit.ForwardingRecordStore;
import dev.once.testkit.RecordStoreContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** The contract, with all calls that need no grant in a transaction of the caller. */
@Tag("any-jdk")
class OperatorTransactionTest extends RecordStoreContract implements DatabaseUnderTest {
  private static final StoreThreads THREADS =
      StoreThreads.withoutDirectCalls(Duration.ofMinutes(1));

  private static final TestDatabase DATABASE = new TestDatabase("operator_contract");
  private static final RecordStore STORE = new Operated(DATABASE.store());
  private static final RecordStore OTHER_STORE = new Operated(DATABASE.otherStore());

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @Override
  public RecordStore store() {
    return STORE;
  }

  @Override
  public RecordStore otherStore() {
    return OTHER_STORE;
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  /** Owners use the store itself; operators begin a transaction, make one call, and commit. */
  private static final class Operated extends ForwardingRecordStore {
    private final JdbcRecordStore store;

    Operated(JdbcRecordStore store) {
      super(store);
      this.store = store;
    }

    @Override
    public boolean reopen(Key key) {
      return untilFree(it -> it.reopen(key));
    }

    @Override
    public boolean expire(Key key) {
      return untilFree(it -> it.expire(key));
    }

    @Override
    public int purge(Purge purge) {
      return inTransaction(it -> store.adminWithin(it).purge(purge));
    }

    @Override
    public Optional<RecordView> find(Key key) {
      return inTransaction(it -> store.within(it).find(key));
    }

    /** The store does not wait for a record that another transaction has locked: try again. */
    private boolean untilFree(Predicate<RecordAdmin> step) {
      while (true) {
        try {
          return inTransaction(it -> step.test(store.adminWithin(it)));
        } catch (StoreException e) {
          if (!String.valueOf(e.getMessage()).contains("try again later")) {
            throw e;
          }
        }
      }
    }

    private <T> T inTransaction(Function<Connection, T> step) {
      return THREADS.call(() -> commit(step));
    }

    private <T> T commit(Function<Connection, T> step) {
      try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
        T answer = step.apply(connection);
        connection.commit();
        return answer;
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
  }
}
