package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for settlements. */
final class Settlements {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private Settlements() {}

  static Settlement await(CompletableFuture<Settlement> settlement) {
    try {
      return settlement.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("no settlement", e);
    }
  }

  static List<Settlement> await(List<CompletableFuture<Settlement>> settlements) {
    return settlements.stream().map(Settlements::await).toList();
  }

  /** Submits events and expects each to be handled. */
  static void handle(EventConsumer consumer, List<Event> events) {
    assertThat(await(consumer.submit(events))).allMatch(Settlement.Handled.class::isInstance);
  }

  static void until(BooleanSupplier condition, String what) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("after " + PATIENCE + " still not: " + what);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
