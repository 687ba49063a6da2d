package dev.once.console;

import dev.once.EngineEvent;
import dev.once.OnceListener;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts what the engine of this process does, by tenant, for the last ten minutes. Give it to the
 * engine as a {@linkplain dev.once.Once.Builder#listener listener} and to the {@link
 * Console.Builder#rates console}. Thread-safe.
 */
public final class ConsoleRates implements OnceListener {
  /** Tenants beyond so many are counted together. */
  private static final int MAX_TENANTS = 200;

  private static final String OTHERS = "";

  private final InstantSource clock;
  private final Map<String, RateWindow> windows = new ConcurrentHashMap<>();

  public ConsoleRates() {
    this(InstantSource.system());
  }

  ConsoleRates(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public void on(EngineEvent event) {
    kind(event).ifPresent(it -> window(event.key().tenant()).add(it, clock.instant()));
  }

  private RateWindow window(String tenant) {
    RateWindow known = windows.get(tenant);
    if (known != null) {
      return known;
    }
    String name = windows.size() < MAX_TENANTS ? tenant : OTHERS;
    return windows.computeIfAbsent(name, it -> new RateWindow());
  }

  /** Returns the counts of these tenants; of all when empty. */
  RateWindow.Counts read(Optional<Set<String>> tenants) {
    RateWindow.Counts sum = new RateWindow.Counts(clock.instant());
    windows.forEach(
        (tenant, window) -> {
          if (tenants.map(it -> it.contains(tenant)).orElse(true)) {
            window.addTo(sum);
          }
        });
    return sum;
  }

  private static Optional<RateWindow.Kind> kind(EngineEvent event) {
    if (event instanceof EngineEvent.Granted) {
      return Optional.of(RateWindow.Kind.NEW);
    }
    if (event instanceof EngineEvent.Replayed) {
      return Optional.of(RateWindow.Kind.REPLAY);
    }
    if (event instanceof EngineEvent.Held) {
      return Optional.of(RateWindow.Kind.IN_FLIGHT);
    }
    if (event instanceof EngineEvent.Mismatched) {
      return Optional.of(RateWindow.Kind.MISMATCH);
    }
    boolean isError =
        event instanceof EngineEvent.OutcomeUnknown
            || event instanceof EngineEvent.LeaseLost
            || event instanceof EngineEvent.Abandoned
            || event instanceof EngineEvent.Released
            || event instanceof EngineEvent.Uncertain
            || event instanceof EngineEvent.Unreadable
            || event instanceof EngineEvent.Limited;
    return isError ? Optional.of(RateWindow.Kind.ERROR) : Optional.empty();
  }
}
