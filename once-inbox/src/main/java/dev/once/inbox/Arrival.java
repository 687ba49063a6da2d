package dev.once.inbox;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.jobs.Job;
import dev.once.json.JsonRefusedException;
import dev.once.json.Redactor;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** An item on its way into the inbox, with all that is written down about it. */
final class Arrival {
  static final String SCOPE = "webhook:";
  private static final String CONFLICT_SCOPE = "webhook_conflict:";

  /** Longer ids are named by their hash: with a digest behind it, this is all a job's key takes. */
  private static final int MAX_NAMED_CHARS = 200;

  private final Provider provider;
  private final Item item;
  private final Key key;
  private final Headers correlation;
  private final byte @Nullable [] payload;

  private Arrival(
      Provider provider, Item item, Key key, Headers correlation, byte @Nullable [] payload) {
    this.provider = provider;
    this.item = item;
    this.key = key;
    this.correlation = correlation;
    this.payload = payload;
  }

  static Arrival of(Provider provider, Item item, String bodyHash) {
    Key key = new Key(provider.tenantOf(item), SCOPE + provider.name(), item.id());
    Headers correlation = Headers.NONE.with("body-sha256", bodyHash);
    byte[] payload = Envelope.of(item);
    boolean fits = payload.length <= Job.MAX_PAYLOAD_BYTES;
    return new Arrival(provider, item, key, correlation, fits ? payload : null);
  }

  /** The same as what is remembered about an item that contradicts another. */
  Arrival asConflict() {
    Key contradiction = new Key(key.tenant(), CONFLICT_SCOPE + provider.name(), resource());
    return new Arrival(provider, item, contradiction, correlation, null);
  }

  /** The hash of a delivery's body, which every item of it is remembered with. */
  static String hashOf(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  Provider provider() {
    return provider;
  }

  Key key() {
    return key;
  }

  String type() {
    return item.type();
  }

  Fingerprint fingerprint() {
    return item.fingerprint();
  }

  Headers correlation() {
    return correlation;
  }

  /** One of its own for every content, so that no job is ever taken for another. */
  String resource() {
    String id = item.id();
    String named = id.length() <= MAX_NAMED_CHARS ? id : Fingerprint.sha256(id).digest();
    return named + "@" + item.fingerprint().digest();
  }

  /** What is processed; nothing of an item that is larger than a job, or contradicts another. */
  byte @Nullable [] payload() {
    return payload;
  }

  /** What is kept beside the fact that it came: nothing, or the item without what is private. */
  byte @Nullable [] kept() {
    if (!provider.keepsBody()) {
      return null;
    }
    try {
      return Redactor.standard().json(item.data());
    } catch (JsonRefusedException e) { // Too deep or too long to be redacted, so not kept.
      return null;
    }
  }
}
