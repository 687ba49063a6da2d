package dev.once.jdbc;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.Sealing;
import dev.once.jdbc.spi.StoreThreads;
import dev.once.jdbc.spi.Work;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
import dev.once.spi.RecordStore;
import dev.once.testkit.ForwardingRecordStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Sends each claim and each completion in a batch with those of strangers. */
final class BatchedStore extends ForwardingRecordStore {
  private static final StoreThreads THREADS =
      StoreThreads.withoutDirectCalls(Duration.ofMinutes(1));
  private static final Packing PLAIN = Packing.of(Sealing.NONE);
  private static final Outcome OUTCOME = Outcome.completed(Payload.NONE);
  private static final BatchedAnswer BUSY = new BatchedAnswer.Completed(Change.BUSY);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RecordStore store;
  private final Work work;
  private final boolean insertFirst;

  BatchedStore(JdbcRecordStore store, DataSource dataSource, boolean insertFirst) {
    super(store);
    this.store = store;
    this.work = new Work(dataSource);
    this.insertFirst = insertFirst;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return claim(new ClaimAsk(request, false));
  }

  @Override
  public Claim reconcile(ClaimRequest request) {
    return claim(new ClaimAsk(request, true));
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    Completion end = Completion.of(grant, outcome, retention, PLAIN);
    BatchedAnswer answer = send(List.of(claimOfAStranger(), endOfAStranger(), end)).get(2).get();
    for (int tries = 0; answer.equals(BUSY) && tries < 1_000; tries++) {
      answer = send(List.of(end)).get(0).get();
    }
    if (answer.equals(new BatchedAnswer.Completed(Change.LOST))) {
      throw new LeaseLostException(grant.key(), grant.fence());
    }
  }

  private Claim claim(ClaimAsk ask) {
    for (int attempt = 0; attempt < 10; attempt++) {
      List<Supplier<BatchedAnswer>> answers =
          send(List.of(claimOfAStranger(), ask, endOfAStranger()));
      if (answers.get(1).get() instanceof BatchedAnswer.Claimed it) {
        return it.claim();
      }
      if (answers.get(1).get() instanceof BatchedAnswer.LargeReplay) {
        return store.claim(ask.request());
      }
    }
    return new Claim.Held(Duration.ZERO);
  }

  private List<Supplier<BatchedAnswer>> send(List<BatchedCall> calls) {
    DuplicateRate rate = new DuplicateRate();
    if (!insertFirst) {
      rate.saw(1_000, 1_000);
    }
    return THREADS.call(
        () -> work.run("batch", it -> new RecordBatch(calls, PLAIN).send(it, rate)));
  }

  private static ClaimAsk claimOfAStranger() {
    Key key = new Key("stranger", "orders", UUID.randomUUID().toString());
    return new ClaimAsk(
        new ClaimRequest(key, Fingerprint.NONE, MINUTE, MINUTE, Recovery.RERUN, 20, Headers.NONE),
        false);
  }

  private Completion endOfAStranger() {
    Claim claim = store.claim(claimOfAStranger().request());
    return Completion.of((Claim.Granted) claim, OUTCOME, MINUTE, PLAIN);
  }
}
