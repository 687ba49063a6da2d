package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Effect;
import dev.once.Execution;
import dev.once.Key;
import dev.once.Once;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Terms;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The fixture of the engine tests: a key of its own, requests for it, an effect that counts its
 * runs, an engine with a listener, other threads, and owners in other processes.
 */
abstract class EngineTests {
  /** The effect of a call that must be answered without executing it. */
  static final Effect<@Nullable String, RuntimeException> MUST_NOT_RUN =
      execution -> {
        throw new AssertionError("the effect ran under fence " + execution.fence());
      };

  final Key key = newKey();

  /** May be rerun. */
  final Request<@Nullable String> request = Request.of(key, Codec.text());

  /** Must not be rerun before it is reconciled. */
  final Request<@Nullable String> askingRequest =
      request.withTerms(Terms.DEFAULT.withRecovery(Recovery.ASK));

  /** Gives up soon when its outcome cannot be recorded. */
  final Request<@Nullable String> impatientRequest = impatient(request);

  final AtomicInteger runs = new AtomicInteger();
  final RecordedEvents events = new RecordedEvents();
  Once once;

  private final StoreUnderTest subject;
  private final List<Once> engines = new CopyOnWriteArrayList<>();
  private final ExecutorService background = Executors.newCachedThreadPool();

  EngineTests(StoreUnderTest subject) {
    this.subject = subject;
  }

  @BeforeEach
  void startEngine() {
    once = engine(store());
  }

  @AfterEach
  void stopEngines() {
    background.shutdownNow();
    engines.forEach(Once::close);
  }

  final RecordStore store() {
    return subject.store();
  }

  final void elapse(Duration time) {
    subject.elapse(time);
  }

  /** An engine whose listener is {@link #events}; closed after the test. */
  final Once engine(RecordStore store) {
    return engine(store, Duration.ZERO);
  }

  /** The same, with the time that it waits for running effects when it is closed. */
  final Once engine(RecordStore store, Duration drainTime) {
    Once engine =
        Once.builder(store).listener(events).cache(subject.cache()).drainTime(drainTime).build();
    engines.add(engine);
    return engine;
  }

  static <T extends @Nullable Object> Request<T> impatient(Request<T> request) {
    return request.withTerms(request.terms().withMaxCompletionTime(Duration.ofMillis(200)));
  }

  static Key newKey() {
    return new Key("acme", "engine", UUID.randomUUID().toString());
  }

  /** The effect of most tests. */
  final @Nullable String charge(Execution execution) {
    return "receipt " + runs.incrementAndGet();
  }

  final RecordView recordNow() {
    return store().find(key).orElseThrow();
  }

  /** Another process becomes the owner and does nothing more. */
  final Claim.Granted ownElsewhere(Request<?> request) {
    Claim claim = store().claim(claimOf(request));
    assertThat(claim).isInstanceOf(Claim.Granted.class);
    return (Claim.Granted) claim;
  }

  /** Another process becomes the owner and does nothing until its lease is over. */
  final Claim.Granted vanishElsewhere(Request<?> request) {
    Claim.Granted grant = ownElsewhere(request);
    elapse(request.terms().lease());
    return grant;
  }

  /**
   * Another process takes the key, although the owner's heartbeat still tries to renew the lease.
   */
  final Claim.Granted takeOver(Request<?> request) {
    Deadline deadline = Deadline.start();
    Claim claim = new Claim.Held(Duration.ZERO);
    while (!(claim instanceof Claim.Granted)) {
      deadline.leftMillis(() -> "the key was not taken over");
      elapse(request.terms().lease());
      claim = store().claim(claimOf(request).withReconciling(true));
    }
    return (Claim.Granted) claim;
  }

  final <T extends @Nullable Object> Future<T> inBackground(Callable<T> work) {
    return background.submit(work);
  }

  static <T extends @Nullable Object> T soon(Future<T> future) throws Exception {
    return future.get(Deadline.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static ClaimRequest claimOf(Request<?> request) {
    return ClaimRequest.of(request.key(), request.fingerprint(), request.terms())
        .withCorrelation(request.correlation());
  }
}
