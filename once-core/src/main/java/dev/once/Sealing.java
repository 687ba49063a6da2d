package dev.once;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether outcomes, jobs and webhooks are encrypted where they are stored, and with which keys.
 * What was stored before sealing was enabled stays readable. Thread-safe.
 */
public final class Sealing {
  /** Everything is stored as it is; what is sealed cannot be read. */
  public static final Sealing NONE = new Sealing(null, null);

  private final @Nullable Supplier<KeyRing> source;
  private volatile @Nullable KeyRing latest;

  private Sealing(@Nullable Supplier<KeyRing> source, @Nullable KeyRing latest) {
    this.source = source;
    this.latest = latest;
  }

  /** Seals with the current key of {@code ring}. */
  public static Sealing with(KeyRing ring) {
    return new Sealing(null, Objects.requireNonNull(ring, "ring"));
  }

  /**
   * Gets the key ring from {@code source} each time something is sealed or opened, so that keys
   * rotate while the program runs. {@code source} runs on the caller's thread and has to answer
   * from memory. This method calls it too, and throws what it throws. If a later call fails, the
   * last key ring is used: an effect that happened must be recorded even while a key server is
   * unavailable.
   */
  public static Sealing with(Supplier<KeyRing> source) {
    return new Sealing(source, Objects.requireNonNull(source.get(), "the ring that was supplied"));
  }

  /** The key ring to use now; empty for {@link #NONE}. */
  public Optional<KeyRing> ring() {
    if (source != null) {
      refresh(source);
    }
    return Optional.ofNullable(latest);
  }

  private void refresh(Supplier<KeyRing> source) {
    try {
      latest = Objects.requireNonNull(source.get());
    } catch (RuntimeException e) {
      // The supplier has to report its own failures; the last key ring still works.
    }
  }

  /** Shows ids alone. */
  @Override
  public String toString() {
    return "Sealing[" + (latest == null ? "none" : latest.toString()) + "]";
  }
}
