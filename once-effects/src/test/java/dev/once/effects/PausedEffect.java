package dev.once.effects;

import dev.once.events.Event;
import dev.once.events.EventEffect;
import dev.once.events.EventExecution;
import java.util.concurrent.CountDownLatch;

/**
 * An effect whose process is paused before it writes. It notices nothing of the world until it is
 * resumed, and then goes on as if its lease were still its own.
 */
final class PausedEffect implements EventEffect {
  private final EventEffect effect;
  private final CountDownLatch paused = new CountDownLatch(1);
  private final CountDownLatch resumed = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean wasInterrupted;

  PausedEffect(EventEffect effect) {
    this.effect = effect;
  }

  @Override
  public void apply(Event event, EventExecution execution) throws Exception {
    paused.countDown();
    try {
      awaitResumption();
      effect.apply(event, execution);
    } finally {
      ended.countDown();
    }
  }

  /** A stopped process sees no interrupt. */
  private void awaitResumption() {
    while (resumed.getCount() > 0) {
      try {
        resumed.await();
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
  }

  void awaitPause() throws InterruptedException {
    Await.latch(paused, "the effect is paused");
  }

  /** Returns whether the consumer wanted it to end. */
  boolean wasInterrupted() {
    return wasInterrupted;
  }

  void resume() throws InterruptedException {
    resumed.countDown();
    Await.latch(ended, "the effect ended");
  }
}
