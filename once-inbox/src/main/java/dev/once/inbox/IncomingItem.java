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
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An item that is to be accepted, with everything that is stored about it. */
final class IncomingItem {
  static final String SCOPE = "webhook:";

  /** The type of jobs with items as they were received. */
  static final String RECEIVED = "webhook";

  /** The type of jobs with items as their provider confirmed them. */
  static final String CONFIRMED = "confirmed";

  private static final String CONFIRMED_SCOPE = "webhook_confirmed:";
  private static final String UNSIGNED_ID_SCOPE = "webhook_id:";
  static final String CONFLICT_SCOPE = "webhook_conflict:";

  /**
   * Longer ids are replaced by their hash: with the longest prefix and suffix, a key still has at
   * most {@link Key#MAX_VALUE_CHARS}.
   */
  private static final int MAX_NAMED_CHARS = 200;

  private final Provider provider;
  private final String itemType;
  private final Key key;
  private final Fingerprint fingerprint;
  private final Headers correlation;
  private final String jobType;
  private final byte @Nullable [] kept;
  private final byte @Nullable [] payload;

  private IncomingItem(
      Provider provider,
      String itemType,
      Key key,
      Fingerprint fingerprint,
      Headers correlation,
      String jobType,
      byte @Nullable [] kept,
      byte @Nullable [] payload) {
    this.provider = provider;
    this.itemType = itemType;
    this.key = key;
    this.fingerprint = fingerprint;
    this.correlation = correlation;
    this.jobType = jobType;
    this.kept = kept;
    this.payload = payload;
  }

  /** Returns an item of a delivery, with its fingerprint as {@code stored} keeps it. */
  static IncomingItem received(
      Provider provider, Item item, UnaryOperator<Fingerprint> stored, Headers correlation) {
    byte[] payload = Envelope.of(item);
    return new IncomingItem(
        provider,
        item.type(),
        new Key(provider.tenantOf(item), SCOPE + provider.name(), item.key()),
        stored.apply(item.fingerprint()),
        correlation,
        RECEIVED,
        provider.keepsBody() ? redacted(item.data()) : null,
        payload.length <= Job.MAX_PAYLOAD_BYTES ? payload : null);
  }

  /**
   * Returns the record of an id that is not signed, with the content that it came with. It has no
   * job.
   */
  static IncomingItem unsignedId(
      Provider provider, Item item, UnaryOperator<Fingerprint> stored, Headers correlation) {
    return new IncomingItem(
        provider,
        item.type(),
        new Key(provider.tenantOf(item), UNSIGNED_ID_SCOPE + provider.name(), item.id()),
        stored.apply(item.fingerprint()),
        correlation,
        RECEIVED,
        null,
        null);
  }

  /**
   * Returns an item that its provider confirmed. Only its id counts, and its content is not
   * compared: a provider that is queried twice may describe the same item differently.
   */
  static IncomingItem confirmed(Provider provider, Item item, Headers correlation) {
    Key key = new Key(provider.tenantOf(item), CONFIRMED_SCOPE + provider.name(), item.key());
    return new IncomingItem(
        provider,
        item.type(),
        key,
        Fingerprint.NONE,
        correlation,
        CONFIRMED,
        null,
        Envelope.of(item));
  }

  /** Returns the record of this item as a conflict with another item. */
  IncomingItem asConflict() {
    String value = named(key.value()) + "@" + fingerprint.digest();
    Key contradiction = new Key(key.tenant(), CONFLICT_SCOPE + provider.name(), value);
    return new IncomingItem(
        provider, itemType, contradiction, fingerprint, correlation, jobType, kept, null);
  }

  /**
   * Returns what is recorded of a delivery's body with each of its items: its SHA-256, or that as
   * {@code stored} keeps fingerprints, because the rest of a short body can be guessed.
   */
  static Headers correlation(byte[] body, UnaryOperator<Fingerprint> stored) {
    byte[] digest = sha256(body);
    Fingerprint plain = Fingerprint.of("sha256", digest);
    Fingerprint kept = stored.apply(plain);
    return kept.equals(plain)
        ? Headers.NONE.with("body-sha256", HexFormat.of().formatHex(digest))
        : Headers.NONE.with("body-fingerprint", kept.toString());
  }

  private static byte[] sha256(byte[] body) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(body);
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

  String itemType() {
    return itemType;
  }

  Fingerprint fingerprint() {
    return fingerprint;
  }

  Headers correlation() {
    return correlation;
  }

  String jobType() {
    return jobType;
  }

  /**
   * Returns the key of its job. The record decides whether an item is new. A new item gets a new
   * job even if an earlier job had the same id, hence the random part.
   */
  String jobKey() {
    long unique = ThreadLocalRandom.current().nextLong();
    return jobType + ":" + named(key.value()) + "@" + HexFormat.of().toHexDigits(unique);
  }

  /** Returns the redacted item to store with its record; null if it is not stored. */
  byte @Nullable [] kept() {
    return kept;
  }

  /**
   * Returns the payload to process; null for an item that is larger than a job or conflicts with
   * another.
   */
  byte @Nullable [] payload() {
    return payload;
  }

  int size() {
    return (kept == null ? 0 : kept.length) + (payload == null ? 0 : payload.length);
  }

  /** Returns the id as the keys of jobs and conflicts have it. */
  static String named(String id) {
    return id.length() <= MAX_NAMED_CHARS ? id : Fingerprint.sha256(id).digest();
  }

  private static byte @Nullable [] redacted(byte[] data) {
    try {
      return Redactor.standard().json(data);
    } catch (JsonRefusedException e) { // Too deep or too long to be redacted, so not kept.
      return null;
    }
  }
}
