package dev.once;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The engine has a result for every claim that a store may answer with. */
class EveryClaimTest {
  private static final Key KEY = new Key("acme", "payments", "p-1");
  private static final Map<Claim, Class<?>> RESULTS =
      Map.of(
          new Claim.Granted(KEY, 1, 1), Result.Executed.class,
          new Claim.Replay(Codec.text().encode("a"), Headers.NONE), Result.Replayed.class,
          new Claim.Held(Duration.ofSeconds(3)), Result.Held.class,
          new Claim.Mismatched(), Result.Mismatched.class,
          new Claim.Uncertain(), Result.Uncertain.class);

  @Test
  void hasAResultForEveryClaim() {
    assertThat(RESULTS.keySet())
        .extracting(it -> (Object) it.getClass())
        .containsExactlyInAnyOrder((Object[]) Claim.class.getPermittedSubclasses());
    RESULTS.forEach(
        (claim, expected) -> {
          try (Once once = Once.builder(answering(claim)).build()) {
            assertThat(once.run(Request.of(KEY, Codec.text()), execution -> "a"))
                .isInstanceOf(expected);
          }
        });
  }

  /** A store that answers each claim alike and records nothing. */
  private static RecordStore answering(Claim claim) {
    return (RecordStore)
        Proxy.newProxyInstance(
            RecordStore.class.getClassLoader(),
            new Class<?>[] {RecordStore.class},
            (store, method, arguments) -> method.getName().equals("claim") ? claim : null);
  }
}
