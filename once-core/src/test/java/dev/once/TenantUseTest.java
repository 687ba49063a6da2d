package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.once.spi.Usage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TenantUseTest {
  private final AtomicLong clock = new AtomicLong();
  private final TenantUse use = new TenantUse(clock::get);

  @Test
  void measuresAtOnceAndThenNoMoreOftenThanEveryFiveSeconds() {
    use.measure(() -> new Usage(10, 100));
    use.measure(() -> fail("measured too soon"));
    assertThat(use.usage()).isEqualTo(new Usage(10, 100));

    clock.addAndGet(TenantUse.MEASURE_EVERY.toNanos());
    use.measure(() -> new Usage(20, 200));
    assertThat(use.usage()).isEqualTo(new Usage(20, 200));
  }

  @Test
  void addsWhatWasGrantedSinceTheLastMeasurement() {
    use.measure(() -> new Usage(10, 100));

    use.grantedNewKey();

    assertThat(use.usage()).isEqualTo(new Usage(11, 110));
  }

  @Test
  void keepsCountingWhatIsGrantedWhileItIsMeasured() {
    use.grantedNewKey();

    use.measure(
        () -> {
          use.grantedNewKey();
          use.measure(() -> fail("measured twice at a time"));
          return new Usage(1, 0);
        });

    assertThat(use.usage()).isEqualTo(new Usage(2, 0));
  }

  @Test
  void keepsTheLastMeasurementWhenTheStoreFails() {
    use.measure(() -> new Usage(10, 100));
    clock.addAndGet(TenantUse.MEASURE_EVERY.toNanos());

    use.measure(
        () -> {
          throw new StoreException("away", null);
        });
    use.measure(() -> fail("tried again at once"));

    assertThat(use.usage()).isEqualTo(new Usage(10, 100));
  }

  @Test
  void measuresATenantLessOftenThatTakesLong() {
    long took = TenantUse.MEASURE_EVERY.toNanos();
    use.measure(
        () -> {
          clock.addAndGet(took);
          return new Usage(10, 100);
        });

    clock.addAndGet(TenantUse.MEASURE_SHARE * took - 1);
    use.measure(() -> fail("measured too soon"));
    clock.incrementAndGet();
    use.measure(() -> new Usage(5, 50));

    assertThat(use.usage()).isEqualTo(new Usage(5, 50));
  }
}
