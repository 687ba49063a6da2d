package dev.once.testkit;

import dev.once.spi.RecordStore;

/**
 * What every {@link RecordStore} promises, one test per promise and per known trap. To test a
 * store, extend this class in a test source set and implement the access to the store:
 *
 * <pre>{@code
 * class MyRecordStoreTest extends RecordStoreContract {
 *   private final TestClock clock = new TestClock();
 *   private final RecordStore store = new MyRecordStore(clock);
 *
 *   @Override public RecordStore store() { return store; }
 *   @Override public void elapse(Duration time) { clock.advance(time); }
 * }
 * }</pre>
 *
 * <p>The promises come in families, each an interface of its own. Test names are the facts. Order
 * comes from latches and time from {@link #elapse}; the tests of callers that are interrupted or
 * not scheduled take a few seconds. {@link RecordHistoryProperties} complements it: it finds
 * unexpected combinations.
 */
public abstract class RecordStoreContract
    implements ClaimContract,
        TokenContract,
        ConcurrencyContract,
        InterruptContract,
        CallerIsolationContract,
        OpenTransactionContract,
        FenceContract,
        OutcomeContract,
        LargeOutcomeContract,
        FingerprintContract,
        ExpiryContract,
        RecoveryContract,
        KeyContract,
        OperatorContract,
        PurgeContract {}
