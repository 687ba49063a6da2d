package dev.once.jdbc;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Recovery;
import dev.once.Sealing;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
import dev.once.spi.RecordStore;
import dev.once.testkit.ForwardingRecordStore;
import dev.once.testkit.RecordStoreContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;

/** Every promise of a store, with each claim and each completion on a trip with a stranger. */
class SharedTripContractTest extends RecordStoreContract implements DatabaseUnderTest {
  private static final Packing PLAIN = Packing.of(Sealing.NONE);
  private static final TestDatabase DATABASE = new TestDatabase("trips");

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @Override
  public RecordStore store() {
    return new Together(DATABASE.store());
  }

  @Override
  public RecordStore otherStore() {
    return new Together(DATABASE.otherStore());
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  private static final class Together extends ForwardingRecordStore {
    Together(RecordStore alone) {
      super(alone);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      return claim(new ClaimAsk(request, false));
    }

    @Override
    public Claim reconcile(ClaimRequest request) {
      return claim(new ClaimAsk(request, true));
    }

    private static Claim claim(ClaimAsk ask) {
      while (true) {
        try (Connection connection = DATABASE.dataSource().getConnection()) {
          Optional<Claim> claim =
              ClaimBatch.execute(connection, List.of(stranger(), ask), PLAIN).get(1).get();
          if (claim.isPresent()) {
            return claim.get();
          }
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      }
    }

    @Override
    public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
      try (Connection connection = DATABASE.dataSource().getConnection()) {
        Claim.Granted gone = new Claim.Granted(stranger().request().key(), 1, 1);
        List<Completion> ends =
            List.of(
                Completion.of(gone, outcome, retention, PLAIN),
                Completion.of(grant, outcome, retention, PLAIN));
        Change change;
        do { // As the store does while somebody else is at the row.
          change = CompleteBatch.execute(connection, ends).get(1).get();
        } while (change == Change.BUSY);
        if (change != Change.MADE && change != Change.DONE_BEFORE) {
          throw new LeaseLostException(grant.key(), grant.fence());
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    private static ClaimAsk stranger() {
      Key key = new Key("another tenant", "orders", UUID.randomUUID().toString());
      Duration minute = Duration.ofMinutes(1);
      return new ClaimAsk(
          new ClaimRequest(key, Fingerprint.NONE, minute, minute, Recovery.RERUN, 20, Headers.NONE),
          false);
    }
  }
}
