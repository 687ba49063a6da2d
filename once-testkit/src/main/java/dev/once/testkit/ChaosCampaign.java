package dev.once.testkit;

import dev.once.Once;
import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Many callers run effects over a real store while faults of many kinds occur at once, and a ledger
 * outside the store records what really happened. It checks that
 *
 * <ul>
 *   <li>no effect is executed under the live lease of another execution, and an execution that is
 *       repeated was notified that its lease was lost,
 *   <li>an outcome that one caller got is given to every later caller, byte for byte,
 *   <li>no outcome is unknown, as long as every outage is shorter than the lease,
 *   <li>no call hangs, no interrupt is lost or made up, and no key is left without an owner.
 * </ul>
 *
 * <p>The system properties {@code once.chaos.seconds} and {@code once.chaos.seed} change a
 * campaign. A seed reproduces the choices of a campaign, but not their timing.
 */
public final class ChaosCampaign {
  private static final int CALLERS = 32;

  /** One in so many calls is interrupted. */
  private static final int INTERRUPT_ODDS = 6;

  private static final int PURGE_BATCH = 200;
  private static final Duration PURGE_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_REST = Duration.ofMillis(900);

  /** Between outages there is time for one heartbeat: they must not add up to one long outage. */
  private static final int RESTS_PER_LEASE = 3;

  private final List<RecordStore> nodes;
  private final List<ChaosFault> faults = new ArrayList<>();
  private final ChaosLedger ledger = new ChaosLedger();
  private final long seed = Long.getLong("once.chaos.seed", System.nanoTime());
  private Duration duration = Duration.ofSeconds(10);
  private Duration lease = Duration.ofSeconds(3);
  private long longestOutageNanos;

  private ChaosCampaign(List<RecordStore> nodes) {
    this.nodes = nodes;
  }

  /** A campaign of several nodes, whose stores share the same records and can purge. */
  public static ChaosCampaign over(RecordStore... nodes) {
    return new ChaosCampaign(List.of(nodes));
  }

  /** Sets the length in seconds, unless {@code once.chaos.seconds} is set. */
  public ChaosCampaign seconds(int seconds) {
    return lasting(Duration.ofSeconds(Integer.getInteger("once.chaos.seconds", seconds)));
  }

  /** Sets the length to {@code duration}, whatever the system properties say. */
  public ChaosCampaign lasting(Duration duration) {
    this.duration = duration;
    return this;
  }

  /** Sets the length of leases; every outage has to be shorter. */
  public ChaosCampaign lease(Duration lease) {
    this.lease = lease;
    return this;
  }

  public ChaosCampaign fault(ChaosFault fault) {
    faults.add(fault);
    return this;
  }

  /** Runs to the end and prints the report in one line. */
  public ChaosReport run() throws InterruptedException {
    System.out.println("chaos seed=" + seed + " seconds=" + duration.toSeconds());
    List<Once> engines = new ArrayList<>();
    for (RecordStore node : nodes) {
      engines.add(
          Once.builder(LeaseObserver.around(node, ledger)).drainTime(Duration.ZERO).build());
    }
    try (InterruptStorm storm = InterruptStorm.start(seed, INTERRUPT_ODDS)) {
      strike(engines, storm);
      ledger.count("interrupts", storm.interrupts());
      new ChaosVerifier(engines.get(0), ledger, lease).verify();
    } finally {
      engines.forEach(Once::close);
    }
    ChaosReport report = new ChaosReport(seed, ledger.counts(), ledger.violations());
    System.out.println(report);
    return report;
  }

  private void strike(List<Once> engines, InterruptStorm storm) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    long endNanos = System.nanoTime() + duration.toNanos();
    ChaosKeys keys = new ChaosKeys(seed, duration, ledger);
    List<ChaosCaller> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      Once engine = engines.get(i % engines.size());
      callers.add(
          new ChaosCaller(
              engine, storm.newCaller(), keys, ledger, lease, random.split(), endNanos));
    }
    List<Thread> background = new ArrayList<>();
    background.add(start(() -> strike(outages(true), random.split(), endNanos)));
    background.add(start(() -> strike(outages(false), random.split(), endNanos)));
    background.add(start(() -> purge(endNanos)));
    callers.forEach(it -> it.start(ThreadKind.lightest().factory()));
    while (System.nanoTime() - endNanos < 0) {
      callers.forEach(ChaosCaller::checkHang);
      TimeUnit.MILLISECONDS.sleep(100);
    }
    for (Thread thread : background) {
      thread.join();
    }
    for (ChaosCaller caller : callers) {
      caller.awaitEnd();
    }
    if (longestOutageNanos < lease.toNanos()) {
      ledger.unknown().forEach(ledger::violation);
    }
    ledger.count("longestOutageMillis", TimeUnit.NANOSECONDS.toMillis(longestOutageNanos));
  }

  private List<ChaosFault> outages(boolean are) {
    return faults.stream().filter(it -> it.isOutage() == are).toList();
  }

  /** Faults of one kind occur one after the other, with a rest in between. */
  private void strike(List<ChaosFault> faults, SplittableRandom random, long endNanos) {
    while (!faults.isEmpty() && System.nanoTime() - endNanos < 0) {
      ChaosFault fault = faults.get(random.nextInt(faults.size()));
      long shortest = fault.isOutage() ? lease.toNanos() / RESTS_PER_LEASE : 0;
      LockSupport.parkNanos(shortest + random.nextLong(LONGEST_REST.toNanos()));
      long started = System.nanoTime();
      try {
        fault.strike().strike(random);
        ledger.count(fault.name());
      } catch (Exception | AssertionError e) {
        ledger.count(fault.name() + "Failed"); // Faults disturb each other too.
      }
      if (fault.isOutage()) {
        longestOutageNanos = Math.max(longestOutageNanos, System.nanoTime() - started);
      }
    }
  }

  private void purge(long endNanos) {
    RecordAdmin admin = (RecordAdmin) nodes.get(0);
    while (System.nanoTime() - endNanos < 0) {
      try {
        ledger.count("purged", admin.purge(Purge.ofEveryTenant(PURGE_BATCH)));
      } catch (RuntimeException e) {
        ledger.count("purgesFailed");
      }
      LockSupport.parkNanos(PURGE_PAUSE.toNanos());
    }
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task, "chaos");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
