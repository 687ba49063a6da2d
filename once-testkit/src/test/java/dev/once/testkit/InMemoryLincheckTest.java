package dev.once.testkit;

import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Lincheck tries the interleavings of calls on one key, and compares their answers with those of
 * the same calls one after the other. Time stands still; renewing for zero ends a lease. A new
 * store gives its first grant fence 1, which is claimed before the calls start, and the next one
 * fence 2, so calls name the fence they mean.
 */
@Isolated // Lincheck changes the classes that other tests use.
final class InMemoryLincheckTest {
  private static final int SCENARIOS = 10;
  private static final int INTERLEAVINGS = 50;
  private static final Key KEY = new Key("tenant", "scope", "key");
  private static final Duration LEASE = Duration.ofMinutes(10);

  @Test
  void answersConcurrentCallersAsIfTheyCameOneByOne() {
    inModelChecker().check(Callers.class);
  }

  @Test
  void answersTheConcurrentCallsOfOneOwnerAsIfTheyCameOneByOne() {
    inModelChecker().check(Owner.class);
  }

  @Test
  void answersAnOperatorAmongOwnersAsIfTheyCameOneByOne() {
    inModelChecker().check(Operator.class);
  }

  private static ModelCheckingOptions inModelChecker() {
    return new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(1)
        .iterations(SCENARIOS)
        .invocationsPerIteration(INTERLEAVINGS);
  }

  /** Callers that claim while current and former owners finish. */
  @Param(name = "fence", gen = IntGen.class, conf = "1:2")
  public static final class Callers {
    private final Calls calls = new Calls();

    @Operation
    public String claim() {
      return calls.claim();
    }

    @Operation
    public String complete(@Param(name = "fence") int fence) {
      return calls.complete(fence);
    }

    @Operation
    public String release(@Param(name = "fence") int fence) {
      return calls.release(fence);
    }

    @Operation
    public String abandon(@Param(name = "fence") int fence) {
      return calls.renew(fence, Duration.ZERO);
    }

    @Operation
    public String find() {
      return calls.find();
    }
  }

  /** One owner with overlapping calls, because it repeats those that got no answer. */
  @Param(name = "ends", gen = BooleanGen.class)
  public static final class Owner {
    private final Calls calls = new Calls();

    @Operation
    public String complete() {
      return calls.complete(1);
    }

    @Operation
    public String release() {
      return calls.release(1);
    }

    @Operation
    public String renew(@Param(name = "ends") boolean ends) {
      return calls.renew(1, ends ? Duration.ZERO : LEASE);
    }

    @Operation
    public String reconcile() {
      return calls.reconcile();
    }
  }

  /** An operator that reopens and expires while owners claim, finish and abandon. */
  @Param(name = "fence", gen = IntGen.class, conf = "1:2")
  public static final class Operator {
    private final Calls calls = new Calls();

    @Operation
    public boolean reopen() {
      return calls.store.reopen(KEY);
    }

    @Operation
    public boolean expire() {
      return calls.store.expire(KEY);
    }

    @Operation
    public String claim() {
      return calls.claim();
    }

    @Operation
    public String complete(@Param(name = "fence") int fence) {
      return calls.complete(fence);
    }

    @Operation
    public String abandon(@Param(name = "fence") int fence) {
      return calls.renew(fence, Duration.ZERO);
    }
  }

  /** A store under fence 1, and its answers in words. */
  private static final class Calls {
    private final InMemoryRecordStore store = new InMemoryRecordStore(new TestClock());

    Calls() {
      store.claim(request());
    }

    String claim() {
      return describe(store.claim(request()));
    }

    String reconcile() {
      return describe(store.claim(request().withReconciling(true)));
    }

    String complete(int fence) {
      return attempt(() -> store.complete(grant(fence), Outcomes.FIRST, LEASE));
    }

    String release(int fence) {
      return attempt(() -> store.release(grant(fence)));
    }

    String renew(int fence, Duration lease) {
      return attempt(() -> store.renew(grant(fence), lease));
    }

    String find() {
      return store.find(KEY).map(it -> it.state() + " under fence " + it.fence()).orElse("nothing");
    }

    private static ClaimRequest request() {
      return ClaimRequest.of(KEY, LEASE, LEASE).withFingerprint(TestClaim.FINGERPRINT);
    }

    private static Claim.Granted grant(int fence) {
      return new Claim.Granted(KEY, fence, 1);
    }

    private static String describe(Claim claim) {
      return claim instanceof Claim.Granted it
          ? "fence " + it.fence() + ", attempt " + it.attempt()
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
}
