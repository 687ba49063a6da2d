package dev.once.testkit;

import dev.once.Key;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Records that a foreign transaction can lock: a claim that would be granted is held meanwhile. */
final class LockableStore extends ForwardingRecordStore {
  private final Set<Key> locked = ConcurrentHashMap.newKeySet();

  LockableStore(RecordStore store) {
    super(store);
  }

  List<ForeignTransaction> transactions() {
    return List.of(new ForeignTransaction("lock", false, this::lock));
  }

  boolean isLocked(Key key) {
    return locked.contains(key);
  }

  boolean hasLocks() {
    return !locked.isEmpty();
  }

  @Override
  public Claim claim(ClaimRequest request) {
    boolean done = find(request.key()).flatMap(it -> it.outcome()).isPresent();
    return isLocked(request.key()) && !done ? new Claim.Held(Duration.ZERO) : super.claim(request);
  }

  private AutoCloseable lock(Key key) {
    locked.add(key);
    return () -> locked.remove(key);
  }
}
