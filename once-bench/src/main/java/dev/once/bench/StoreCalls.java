package dev.once.bench;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Payload;
import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;

/** The calls to a record store of Once, whichever store it is. */
record StoreCalls(RecordStore store, Duration lease) {
  void execute(Key key) {
    if (!(claim(key, Sample.FINGERPRINT) instanceof Claim.Granted grant)) {
      throw new IllegalStateException("not granted: " + key);
    }
    store.complete(grant, Sample.OUTCOME, Sample.TERMS.retention());
  }

  void replay(Key key, Fingerprint fingerprint) {
    if (!(claim(key, fingerprint) instanceof Claim.Replay)) {
      throw new IllegalStateException("not replayed: " + key);
    }
  }

  Reply call(Key key, Effect effect) throws Exception {
    Claim claim = claim(key, Sample.FINGERPRINT);
    if (claim instanceof Claim.Granted grant) {
      String answer = effect.perform(OptionalLong.of(grant.fence()));
      store.complete(grant, Sample.outcome(answer), Sample.TERMS.retention());
      return new Reply.Executed(answer);
    }
    return claim instanceof Claim.Replay replay
        ? new Reply.Replayed(text(replay.outcome().payload()))
        : new Reply.Busy();
  }

  private Claim claim(Key key, Fingerprint fingerprint) {
    return store.claim(Sample.claim(key, fingerprint, lease));
  }

  private static String text(Payload payload) {
    return new String(((Payload.Bytes) payload).toArray(), StandardCharsets.UTF_8);
  }
}
