package dev.once.jdbc;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Sealing;
import dev.once.jdbc.internal.StoreThreads;
import dev.once.jdbc.internal.TransactionRunner;
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

/** Sends each claim and each completion in a batch with unrelated calls. */
final class BatchedStore extends ForwardingRecordStore {
  private static final StoreThreads THREADS =
      StoreThreads.withoutDirectCalls(Duration.ofMinutes(1));
  private static final Packing PLAIN = Packing.of(Sealing.NONE);
  private static final Outcome OUTCOME = Outcome.completed(Payload.NONE);
  private static final BatchedAnswer BUSY = new BatchedAnswer.Completed(ChangeResult.BUSY);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RecordStore store;
  private final TransactionRunner work;
  private final boolean insertFirst;

  BatchedStore(JdbcRecordStore store, DataSource dataSource, boolean insertFirst) {
    super(store);
    this.store = store;
    this.work = new TransactionRunner(dataSource);
    this.insertFirst = insertFirst;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return claim(new ClaimCall(request));
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    CompletionCall end = CompletionCall.of(grant, outcome, retention, PLAIN);
    BatchedAnswer answer = send(List.of(claimOfAStranger(), endOfAStranger(), end)).get(2).get();
    for (int tries = 0; answer.equals(BUSY) && tries < 1_000; tries++) {
      answer = send(List.of(end)).get(0).get();
    }
    if (answer.equals(new BatchedAnswer.Completed(ChangeResult.LOST))) {
      throw new LeaseLostException(grant.key(), grant.fence());
    }
  }

  private Claim claim(ClaimCall claimCall) {
    for (int attempt = 0; attempt < 10; attempt++) {
      List<Supplier<BatchedAnswer>> answers =
          send(List.of(claimOfAStranger(), claimCall, endOfAStranger()));
      if (answers.get(1).get() instanceof BatchedAnswer.Claimed it) {
        return it.claim();
      }
      if (answers.get(1).get() instanceof BatchedAnswer.LargeReplay) {
        return store.claim(claimCall.request());
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

  private static ClaimCall claimOfAStranger() {
    Key key = new Key("stranger", "orders", UUID.randomUUID().toString());
    return new ClaimCall(ClaimRequest.of(key, MINUTE, MINUTE));
  }

  private CompletionCall endOfAStranger() {
    Claim claim = store.claim(claimOfAStranger().request());
    return CompletionCall.of((Claim.Granted) claim, OUTCOME, MINUTE, PLAIN);
  }
}
