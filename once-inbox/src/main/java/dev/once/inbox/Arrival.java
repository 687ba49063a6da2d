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

  /** Longer ids are named by their hash: with a digest behind it, this is all a job's key takes. */
  private static final int MAX_NAMED_CHARS = 200;

  private final Provider provider;
  private final Item item;
  private final Key key;
  private final Headers correlation;
  private final byte[] payload;

  Arrival(Provider provider, Item item, String bodyHash) {
    this.provider = provider;
    this.item = item;
    this.key = new Key(provider.tenantOf(item), SCOPE + provider.name(), item.id());
    this.correlation = Headers.NONE.with("body-sha256", bodyHash);
    this.payload = Envelope.of(item);
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

  /** Whether it can be processed; one that is larger than a job is only remembered. */
  boolean fits() {
    return payload.length <= Job.MAX_PAYLOAD_BYTES;
  }

  byte @Nullable [] payload() {
    return fits() ? payload : null;
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
