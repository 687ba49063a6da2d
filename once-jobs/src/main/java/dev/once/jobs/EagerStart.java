package dev.once.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The jobs of one call that start eagerly: they are enqueued as leased to this process, which has a
 * slot for them and runs them from memory when their transaction has committed. No claim is needed,
 * and no other process is notified. If this process ends before, or never learns of the commit, the
 * lease expires like any other.
 *
 * <p>Used by one thread, and then by the one that commits.
 */
final class EagerStart {
  private final Map<Integer, EagerReservation> reserved;
  private final Map<Integer, Leased> leased = new TreeMap<>();

  private record Leased(EagerReservation reservation, ClaimedJob job) {
    QueueRunner runner() {
      return reservation.runner();
    }

    JobLease jobLease(boolean isCertain) {
      Duration lease = runner().queue().lease();
      return new JobLease(job, runner(), reservation.sentNanos(), lease, isCertain);
    }
  }

  private EagerStart(Map<Integer, EagerReservation> reserved) {
    this.reserved = reserved;
  }

  /** Lets no job start eagerly. */
  static EagerStart none() {
    return new EagerStart(Map.of());
  }

  /** Reserves a place for as many of {@code jobs} as {@code runners} have places for. */
  static EagerStart reserve(List<QueueRunner> runners, List<Job> jobs) {
    Map<Integer, EagerReservation> reserved = new HashMap<>();
    for (int i = 0; i < jobs.size() && !runners.isEmpty(); i++) {
      int place = i;
      runners.stream()
          .map(runner -> runner.reserve(jobs.get(place)))
          .flatMap(Optional::stream)
          .findFirst()
          .ifPresent(it -> reserved.put(place, it));
    }
    return new EagerStart(reserved);
  }

  /** Returns the lease with which to enqueue the job at {@code place}, if it has a reservation. */
  Optional<Duration> lease(int place) {
    return Optional.ofNullable(reserved.get(place)).map(it -> it.runner().queue().lease());
  }

  /** Records that the job at {@code place} was enqueued with its lease. */
  void leased(int place, ClaimedJob job) {
    EagerReservation reservation = reserved.get(place);
    if (reservation != null) {
      leased.put(place, new Leased(reservation, job));
    }
  }

  boolean isLeased(int place) {
    return leased.containsKey(place);
  }

  /** Forgets what was enqueued by a transaction that was rolled back and is repeated. */
  void repeat() {
    leased.clear();
  }

  /** Gives the reservations back: the jobs were not enqueued, or it is not known. */
  void release() {
    reserved.values().forEach(it -> it.runner().release(it));
  }

  /**
   * Starts the jobs, after the commit.
   *
   * @param isCertain whether the jobs are known to exist. After the commit of a framework's
   *     transaction they may be gone all the same, with a savepoint
   */
  void start(boolean isCertain) {
    Map<QueueRunner, List<JobLease>> leases = new HashMap<>();
    for (Leased it : leased.values()) {
      leases.computeIfAbsent(it.runner(), runner -> new ArrayList<>()).add(it.jobLease(isCertain));
    }
    leases.forEach(QueueRunner::hold);
    release();
  }
}
