package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.RecordUsage;
import dev.once.spi.Usage;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * What every {@link RecordUsage} promises. For stores that implement it, beside {@link
 * RecordStoreContract}: {@code class MyRecordStoreTest extends RecordStoreContract implements
 * RecordUsageContract}.
 */
public interface RecordUsageContract extends StoreUnderTest {
  private Usage usage(String tenant, Usage enough) {
    return ((RecordUsage) store()).usage(tenant, enough);
  }

  @Test
  default void countsWhatOneTenantHas() {
    String tenant = "tenant-" + UUID.randomUUID();
    byte[] noise = new byte[5000]; // Not compressible.
    new Random(1).nextBytes(noise);

    TestClaim.forKey(new Key(tenant, "scope", "running")).grantedBy(store());
    TestClaim done = TestClaim.forKey(new Key(tenant, "other", "done"));
    store()
        .complete(
            done.grantedBy(store()), Outcome.completed(Payload.of(noise)), TestClaim.RETENTION);
    TestClaim.forNewKey().grantedBy(store());

    Usage usage = usage(tenant, new Usage(1000, 1_000_000));
    assertThat(usage.keys()).isEqualTo(2);
    assertThat(usage.bytes()).isBetween(5000L, 6000L);
    assertThat(usage(tenant + "x", new Usage(1000, 1_000_000))).isEqualTo(Usage.NONE);
  }

  @Test
  default void countsUntilThereIsEnough() {
    String tenant = "tenant-" + UUID.randomUUID();
    for (int i = 0; i < 5; i++) {
      TestClaim.forKey(new Key(tenant, "scope", "key-" + i)).grantedBy(store());
    }

    assertThat(usage(tenant, new Usage(3, 1_000_000)).keys()).isBetween(3L, 5L);
  }

  /** An hour of tolerance: a store may count time in steps. */
  @Test
  default void countsNoRecordThatExpiredLongAgo() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());

    elapse(TestClaim.LIFETIME.plus(Duration.ofHours(1)));

    assertThat(usage(ask.key().tenant(), new Usage(1000, 1_000_000))).isEqualTo(Usage.NONE);
  }
}
