package dev.once.json;

import dev.once.Fingerprint;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes fingerprints of requests: the same request has the same fingerprint, however its JSON is
 * spelled.
 *
 * <p>With a secret key, fingerprints reveal nothing about the request to a reader of the records
 * without the key: even a short body cannot be found by trying guesses. Instances are immutable and
 * thread-safe; keep one and share it, since it reuses its memory from call to call.
 */
public final class Fingerprinter {
  // Twice as many concurrent calls as processors: more would be waiting, not digesting.
  private static final int IDLE_KEPT = 2 * Runtime.getRuntime().availableProcessors();

  private static final String ALL = "json1-";
  private static final String WITHOUT_TIMES = "jsont-";

  private final String algorithm;
  private final CanonicalJson json;
  private final Pool<FingerprintParts.Workspace> pool;

  private Fingerprinter(String algorithm, CanonicalJson json, Supplier<Digest> digest) {
    this.algorithm = algorithm;
    this.json = json;
    this.pool = new Pool<>(IDLE_KEPT, () -> new FingerprintParts.Workspace(digest.get()));
  }

  /**
   * Returns a fingerprinter with SHA-256 without a key, without omissions, within the default
   * limits.
   */
  public static Fingerprinter sha256() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Returns the id in every fingerprint made here, such as {@code json1-sha256}. */
  public String algorithm() {
    return algorithm;
  }

  /**
   * Returns whether {@code fingerprint} is by a rule that leaves out members {@linkplain
   * CanonicalJson#withoutTimesNamed that are times}.
   */
  public static boolean leavesOutTimes(Fingerprint fingerprint) {
    return fingerprint.algorithm().startsWith(WITHOUT_TIMES);
  }

  /** Returns the fingerprint of a document alone. */
  public Fingerprint json(byte[] document) {
    return start().json(document).finish();
  }

  /** Starts a fingerprint of several parts, each separated from the next. */
  public FingerprintParts start() {
    return new FingerprintParts(algorithm, json, pool);
  }

  /** Settings of a {@link Fingerprinter}, all optional. */
  public static final class Builder {
    private static final String PLAIN = "sha256";
    private static final String KEYED = "hmac-sha256";
    private static final int MAX_KEY_ID_CHARS = 14;
    // As long as the digest: RFC 2104 strongly discourages anything shorter.
    private static final int MIN_SECRET_BYTES = 32;

    private CanonicalJson json = CanonicalJson.standard();
    private String algorithm = PLAIN;
    private Supplier<Digest> digest = Digest::sha256;

    private Builder() {}

    /**
     * Sets the rule for equal documents; by default nothing is omitted and the default limits
     * apply.
     */
    public Builder json(CanonicalJson rule) {
      this.json = rule;
      return this;
    }

    /** Uses HMAC-SHA-256 with this key, of at least 32 bytes. */
    public Builder key(byte[] secret) {
      return keyed(KEYED, secret);
    }

    /**
     * Uses HMAC-SHA-256 with this key, of at least 32 bytes, and includes {@code keyId} in the
     * algorithm's id, so that fingerprints made before and after a rotation can be distinguished.
     */
    public Builder key(String keyId, byte[] secret) {
      if (!keyId.matches("[a-z0-9-]{1," + MAX_KEY_ID_CHARS + "}")) {
        throw new IllegalArgumentException(
            "key id must have 1 to " + MAX_KEY_ID_CHARS + " characters of a-z0-9-, got " + keyId);
      }
      return keyed(KEYED + "-" + keyId, secret);
    }

    public Fingerprinter build() {
      String rule = json.leavesOutTimes() ? WITHOUT_TIMES : ALL;
      return new Fingerprinter(rule + algorithm, json, digest);
    }

    private Builder keyed(String id, byte[] secret) {
      if (secret.length < MIN_SECRET_BYTES) {
        throw new IllegalArgumentException(
            "key must have at least " + MIN_SECRET_BYTES + " bytes, got " + secret.length);
      }
      SecretKey key = new SecretKeySpec(secret, "HmacSHA256"); // copies the secret
      algorithm = id;
      digest = () -> Digest.hmacSha256(key);
      return this;
    }
  }
}
