package dev.once;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The right of one effect to be in flight. Closing it more than once returns it only once. */
final class Permit implements AutoCloseable {
  static final Permit NONE = new Permit(null);

  private final AtomicReference<@Nullable Runnable> giveBack;

  Permit(@Nullable Runnable giveBack) {
    this.giveBack = new AtomicReference<>(giveBack);
  }

  @Override
  public void close() {
    if (giveBack.get() == null) { // NONE is shared by all threads: do not write to it.
      return;
    }
    Runnable action = giveBack.getAndSet(null);
    if (action != null) {
      action.run();
    }
  }
}
