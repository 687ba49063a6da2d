package dev.once.examples.planning;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import java.util.UUID;
import org.springframework.cache.Cache;
import org.springframework.cache.caffeine.CaffeineCache;
import org.springframework.cache.transaction.TransactionAwareCacheDecorator;
import org.springframework.stereotype.Component;

/**
 * The missions that this node wrote last, as their writes left them.
 *
 * <p>Only a first write that is committed changes the cache: {@link MissionService} calls it, which
 * a replay never reaches, and the decorator delays each change until the transaction has committed.
 * Reads do not fill it.
 *
 * <p>Another node may have changed a mission since, and two commits of this node may arrive here in
 * the wrong order. Readers therefore check that the version is current.
 */
@Component
class MissionCache {
  private static final int MAX_MISSIONS = 10_000;

  private final Cache missions =
      new TransactionAwareCacheDecorator(
          new CaffeineCache("missions", Caffeine.newBuilder().maximumSize(MAX_MISSIONS).build()));

  /** Returns the mission, which may be outdated. */
  Optional<Mission> find(String tenant, UUID id) {
    return Optional.ofNullable(missions.get(new MissionKey(tenant, id), Mission.class));
  }

  /** Stores the mission when the current transaction has committed. */
  void put(String tenant, Mission mission) {
    missions.put(new MissionKey(tenant, mission.id()), mission);
  }

  /** Removes the mission when the current transaction has committed. */
  void remove(String tenant, UUID id) {
    missions.evict(new MissionKey(tenant, id));
  }

  private record MissionKey(String tenant, UUID id) {}
}
