package dev.once.spi;

import dev.once.Fingerprint;
import dev.once.Key;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** A cache that is always empty. */
final class NoCache implements OutcomeCache {
  @Override
  public Optional<Claim.Replay> find(Key key, Fingerprint fingerprint) {
    return Optional.empty();
  }

  @Override
  public void keep(
      Key key, Fingerprint fingerprint, Claim.Replay replay, Supplier<Duration> left) {}

  @Override
  public void forget(Key key) {}
}
