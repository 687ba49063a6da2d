package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SealingTest {
  private static final KeyRing OLD = KeyRing.of("old", new byte[KeyRing.KEY_BYTES]);
  private static final KeyRing NEW = KeyRing.of("new", new byte[KeyRing.KEY_BYTES]);

  @Test
  void hasNoKeysUnlessGivenSome() {
    assertThat(Sealing.NONE.ring()).isEmpty();
    assertThat(Sealing.with(OLD).ring()).contains(OLD);
  }

  @Test
  void asksForTheRingAtEachUse() {
    AtomicReference<KeyRing> source = new AtomicReference<>(OLD);
    Sealing sealing = Sealing.with(source::get);

    source.set(NEW);

    assertThat(sealing.ring()).contains(NEW);
  }

  @Test
  void keepsTheLastRingWhenItsSourceFails() {
    AtomicReference<Supplier<KeyRing>> source = new AtomicReference<>(() -> OLD);
    Sealing sealing = Sealing.with(() -> source.get().get());

    source.set(SealingTest::unavailable);

    assertThat(sealing.ring()).contains(OLD);
  }

  @Test
  void failsAtOnceIfThereIsNoRingToBeginWith() {
    assertThatIllegalStateException().isThrownBy(() -> Sealing.with(SealingTest::unavailable));
  }

  private static KeyRing unavailable() {
    throw new IllegalStateException("the key server is unavailable");
  }
}
