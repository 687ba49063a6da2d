package dev.once.bench;

import dev.once.Codec;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.json.Fingerprinter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Replays of completed keys, each with the body that it was executed with. */
final class CachedReplays {
  private static final int KEYS = 1000;

  private final Fingerprinter fingerprinter = Fingerprinter.sha256();
  private final byte[] body;
  private final List<Key> keys = new ArrayList<>();
  private final Map<Key, Kept> map = new HashMap<>();

  /** The entry that an application would cache without Once. */
  private record Kept(Fingerprint fingerprint, String answer) {}

  CachedReplays(byte[] body, Once once) {
    this.body = body;
    for (int i = 0; i < KEYS; i++) {
      Key key = new Key(Sample.TENANT, "near", Sample.newKey());
      OnceEngine.require(Result.Executed.class, run(once, key));
      map.put(key, new Kept(fingerprinter.json(body), Sample.TEXT));
      keys.add(key);
    }
  }

  void replay(Once once) {
    OnceEngine.require(Result.Replayed.class, run(once, anyKey()));
  }

  /** Looks a key up. The map is not changed after construction, so all threads may read it. */
  void lookUp() {
    Kept kept = map.get(anyKey());
    if (kept == null || !kept.fingerprint.equals(fingerprinter.json(body))) {
      throw new IllegalStateException("not found, or done for another body");
    }
  }

  private Result<byte @Nullable []> run(Once once, Key key) {
    Request<byte @Nullable []> request =
        Request.of(key, Codec.bytes()).withFingerprint(fingerprinter.json(body));
    return once.run(request, execution -> Sample.ANSWER);
  }

  private Key anyKey() {
    return keys.get(ThreadLocalRandom.current().nextInt(KEYS));
  }
}
