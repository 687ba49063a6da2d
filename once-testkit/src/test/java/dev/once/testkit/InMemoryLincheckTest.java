package dev.once.testkit;

import dev.once.Headers;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.util.LoggingLevel;
import org.junit.jupiter.api.Test;

/**
 * Lets Lincheck try the interleavings of calls on one key, and compares what they answer with the
 * same calls one after the other. Time stands still; renewing for nothing ends a lease. A new store
 * gives its first grant fence 1, which is taken before the calls start, and the next one fence 2,
 * so calls name the fence they mean.
 */
@Param(name = "fence", gen = IntGen.class, conf = "1:2")
@Param(name = "yes", gen = BooleanGen.class)
public class InMemoryLincheckTest {
  private static final Key KEY = new Key("tenant", "scope", "key");
  private static final Duration LEASE = Duration.ofMinutes(10);

  private final RecordStore store = new InMemoryRecordStore(new TestClock());

  public InMemoryLincheckTest() {
    store.claim(request(Recovery.RERUN));
  }

  @Operation
  public String claim() {
    return describe(store.claim(request(Recovery.RERUN)));
  }

  @Operation
  public String reconcile() {
    return describe(store.reconcile(request(Recovery.ASK)));
  }

  @Operation
  public String complete(@Param(name = "fence") int fence, @Param(name = "yes") boolean first) {
    return attempt(
        () -> store.complete(grant(fence), first ? Outcomes.FIRST : Outcomes.SECOND, LEASE));
  }

  @Operation
  public String release(@Param(name = "fence") int fence) {
    return attempt(() -> store.release(grant(fence)));
  }

  @Operation
  public String renew(@Param(name = "fence") int fence, @Param(name = "yes") boolean ends) {
    return attempt(() -> store.renew(grant(fence), ends ? Duration.ZERO : LEASE));
  }

  @Operation
  public String find() {
    return store.find(KEY).map(it -> it.state() + " under fence " + it.fence()).orElse("nothing");
  }

  @Test
  void answersConcurrentCallsAsIfTheyCameOneByOne() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(40)
        .invocationsPerIteration(40)
        .logLevel(LoggingLevel.ERROR)
        .check(InMemoryLincheckTest.class);
  }

  private static ClaimRequest request(Recovery recovery) {
    return new ClaimRequest(KEY, Ask.FINGERPRINT, LEASE, LEASE, recovery, 20, Headers.NONE);
  }

  private static Claim.Granted grant(int fence) {
    return new Claim.Granted(KEY, fence, 1);
  }

  private static String describe(Claim claim) {
    if (claim instanceof Claim.Granted it) {
      return "fence " + it.fence() + ", attempt " + it.attempt();
    }
    return claim instanceof Claim.Replay it && it.outcome().equals(Outcomes.FIRST)
        ? "first outcome"
        : claim.getClass().getSimpleName();
  }

  private static String attempt(Runnable action) {
    try {
      action.run();
      return "done";
    } catch (LeaseLostException e) {
      return "lost";
    }
  }
}
