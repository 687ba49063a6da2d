package dev.once.testkit;

import dev.once.Once;
import org.junit.jupiter.api.Nested;

/**
 * What {@link Once} promises over any store, one test per promise and per known trap. {@link
 * RecordStoreContract} tests a store by itself; this contract tests the engine together with that
 * store. Extend it the same way, in a test source set:
 *
 * <pre>{@code
 * class MyStoreOnceTest extends OnceContract {
 *   private final TestClock clock = new TestClock();
 *   private final RecordStore store = new MyRecordStore(clock);
 *
 *   @Override public RecordStore store() { return store; }
 *   @Override public void elapse(Duration time) { clock.advance(time); }
 * }
 * }</pre>
 *
 * <p>The promises come in families, each a class of its own. Test names are the facts. Order comes
 * from latches and time in the store from {@link #elapse}; the engine's heartbeat has a real clock,
 * so the tests of a lease that is renewed take a second or two.
 */
public abstract class OnceContract implements StoreUnderTest {
  @Nested
  class Replays extends ReplayTests {
    Replays() {
      super(OnceContract.this);
    }
  }

  @Nested
  class Calls extends CallTests {
    Calls() {
      super(OnceContract.this);
    }
  }

  @Nested
  class Beginnings extends BeginTests {
    Beginnings() {
      super(OnceContract.this);
    }
  }

  @Nested
  class Asynchronous extends AsyncTests {
    Asynchronous() {
      super(OnceContract.this);
    }
  }

  @Nested
  class EffectFailures extends EffectFailureTests {
    EffectFailures() {
      super(OnceContract.this);
    }
  }

  @Nested
  class StoreFailures extends StoreFailureTests {
    StoreFailures() {
      super(OnceContract.this);
    }
  }

  @Nested
  class LostAnswers extends LostAnswerTests {
    LostAnswers() {
      super(OnceContract.this);
    }
  }

  @Nested
  class Outages extends OutageTests {
    Outages() {
      super(OnceContract.this);
    }
  }

  @Nested
  class Interrupts extends InterruptTests {
    Interrupts() {
      super(OnceContract.this);
    }
  }

  @Nested
  class Heartbeats extends HeartbeatTests {
    Heartbeats() {
      super(OnceContract.this);
    }
  }

  @Nested
  class Leases extends LeaseTests {
    Leases() {
      super(OnceContract.this);
    }
  }

  @Nested
  class Waits extends WaitTests {
    Waits() {
      super(OnceContract.this);
    }
  }

  @Nested
  class Reconciliations extends ReconciliationTests {
    Reconciliations() {
      super(OnceContract.this);
    }
  }

  @Nested
  class Events extends EventTests {
    Events() {
      super(OnceContract.this);
    }
  }
}
