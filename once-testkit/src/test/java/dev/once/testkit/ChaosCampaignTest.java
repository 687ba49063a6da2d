package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.InMemoryRecordStore;
import dev.once.Outcome;
import dev.once.StoreException;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A campaign finds no violation in an honest store, and finds those of broken stores. */
@Tag("any-jdk")
final class ChaosCampaignTest {
  private final RecordStore honest = new InMemoryRecordStore();
  private final AtomicInteger calls = new AtomicInteger();

  @Test
  void findsNothingWrongWithAnHonestStore() throws Exception {
    ChaosReport report = campaign(honest);

    assertThat(report.violations()).isEmpty();
    assertThat(report.count("executed")).isPositive();
    assertThat(report.count("replayed")).isPositive();
    assertThat(report.count("interrupts")).isPositive();
    assertThat(report.count("purged")).isPositive();
  }

  @Test
  void findsALostCompletion() throws Exception {
    RecordStore broken =
        new ForwardingRecordStore(honest) {
          @Override
          public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
            if (calls.incrementAndGet() % 50 != 0) {
              super.complete(grant, outcome, retention);
            }
          }
        };

    assertThat(campaign(broken).violations()).anyMatch(it -> it.contains("executed by all of"));
  }

  @Test
  void findsAGrantUnderALiveLease() throws Exception {
    RecordStore broken =
        new ForwardingRecordStore(honest) {
          @Override
          public Claim claim(ClaimRequest request) {
            Claim claim = super.claim(request);
            if (claim instanceof Claim.Held && calls.incrementAndGet() % 10 == 0) {
              reopen(request.key());
              return super.claim(request);
            }
            return claim;
          }
        };

    assertThat(campaign(broken).violations()).anyMatch(it -> it.contains("under the live lease"));
  }

  @Test
  void acceptsASecondExecutionAfterALostLease() throws Exception {
    ChaosReport report = campaign(new NeverRenewing(honest));

    assertThat(report.violations()).isEmpty();
    assertThat(report.count("leaseLost")).isPositive();
  }

  @Test
  void findsACompletionWithoutAFence() throws Exception {
    RecordStore broken =
        new NeverRenewing(honest) {
          @Override
          public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
            super.complete(newest(grant), outcome, retention);
          }

          private Claim.Granted newest(Claim.Granted grant) {
            return find(grant.key())
                .map(it -> new Claim.Granted(it.key(), it.fence(), it.attempts()))
                .orElse(grant);
          }
        };

    assertThat(campaign(broken).violations()).anyMatch(it -> it.contains("and then"));
  }

  @Test
  void findsASwallowedInterrupt() throws Exception {
    RecordStore broken =
        new ForwardingRecordStore(honest) {
          @Override
          public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
            super.complete(grant, outcome, retention);
            LockSupport.parkNanos(1_000_000);
            Thread.interrupted();
          }
        };

    assertThat(campaign(broken).violations()).anyMatch(it -> it.contains("an interrupt was lost"));
  }

  private static ChaosReport campaign(RecordStore store) throws InterruptedException {
    return ChaosCampaign.over(store)
        .lasting(Duration.ofSeconds(3))
        .lease(Duration.ofMillis(400))
        .run();
  }

  /** Leases of slow effects end while the effects run. */
  private static class NeverRenewing extends ForwardingRecordStore {
    NeverRenewing(RecordStore store) {
      super(store);
    }

    @Override
    public void renew(Claim.Granted grant, Duration lease) {
      throw new StoreException("no renewals", null);
    }
  }
}
