package dev.once;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a store encrypts the outcomes it keeps, and with which keys. What was kept before sealing
 * was turned on stays readable. Safe for many threads.
 */
public final class Sealing {
  /** Outcomes are kept as they are; a sealed one cannot be read. */
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
   * Asks {@code source} for the ring each time something is sealed or opened, so that keys rotate
   * while the program runs. It is asked on the thread of the caller and has to answer from memory.
   * It is asked at once, and may fail then. When it fails later, the ring it gave last is used: an
   * effect that has happened must not go unrecorded because a key server is away.
   */
  public static Sealing with(Supplier<KeyRing> source) {
    return new Sealing(source, Objects.requireNonNull(source.get(), "the ring that was supplied"));
  }

  /** The ring to use now; empty for {@link #NONE}. */
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
      // Whoever supplies the ring knows of its failure; here the last one is as good.
    }
  }

  /** Shows ids alone. */
  @Override
  public String toString() {
    return "Sealing[" + (latest == null ? "none" : latest.toString()) + "]";
  }
}
