package dev.once.payments;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.json.Fingerprinter;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Makes the keys and fingerprints of payments. No two payments share a key: in an id, the separator
 * of parts ({@code :}), the mark of a digest ({@code ~}) and the escape itself ({@code %}) are
 * percent-encoded, and an id too long for a key ends in a digest of the whole.
 */
final class PaymentKeys {
  static final int MAX_ID_CHARS = 1000;
  static final String PAYER_SCOPE = "payment_payer";
  static final String DECLINED_SCOPE = "payment_declined";

  /**
   * Keeps a key within {@link Key#MAX_VALUE_CHARS} if all other parts have their maximum length.
   */
  private static final int MAX_WRITTEN_CHARS = 100;

  private static final int DIGEST_CHARS = 22; // 132 bits
  private static final int MAX_PREFIX_CHARS = MAX_WRITTEN_CHARS - DIGEST_CHARS - 1;
  private static final Pattern PROVIDER = Pattern.compile("[a-z0-9][a-z0-9._-]{0,31}");

  private final Fingerprinter fingerprinter;

  PaymentKeys(Fingerprinter fingerprinter) {
    this.fingerprinter = fingerprinter;
  }

  static void requireProvider(String name) {
    if (!PROVIDER.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "provider must have 1 to 32 characters of a-z, 0-9, . _ -, got " + name);
    }
  }

  Key key(PaymentRequest it) {
    String value =
        "provider:%s:order:%s:amount:%s:%s"
                .formatted(it.provider(), part(it.order()), it.amount().text(), payer(it.payer()))
            + attempt(it);
    return new Key(it.tenant(), PaymentRequest.SCOPE, value);
  }

  /**
   * Returns the key of what pays an attempt at a payment; only one payer can have it, at one
   * provider.
   */
  Key payerKey(PaymentRequest it) {
    return attemptKey(it, PAYER_SCOPE);
  }

  /** Returns the key under which it is recorded that an attempt was declined, for any payer. */
  Key declinedKey(PaymentRequest it) {
    return attemptKey(it, DECLINED_SCOPE);
  }

  private Key attemptKey(PaymentRequest it, String scope) {
    String value = "order:%s:amount:%s".formatted(part(it.order()), it.amount().text());
    return new Key(it.tenant(), scope, value + attempt(it));
  }

  Fingerprint payerFingerprint(PaymentRequest it) {
    return digest(PAYER_SCOPE, it.provider(), it.payer().kind(), it.payer().id());
  }

  Key key(PaymentConfirmation it) {
    String value = "provider:%s:tx:%s".formatted(it.provider(), part(it.transaction()));
    return new Key(it.tenant(), PaymentConfirmation.SCOPE, value);
  }

  Fingerprint fingerprint(PaymentRequest it) {
    return digest(
        PaymentRequest.SCOPE, it.amount().text(), it.amount().currency(), it.payer().id());
  }

  Fingerprint fingerprint(PaymentConfirmation it) {
    return digest(
        PaymentConfirmation.SCOPE, it.amount().text(), it.amount().currency(), it.status());
  }

  /** Returns a UUID that looks random (version 4) and is always the same for one key. */
  static UUID reference(Key key) {
    String digest = Fingerprint.sha256(key.tenant(), key.scope(), key.value()).digest();
    ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(digest));
    long high = (bytes.getLong() & ~0xF000L) | 0x4000L;
    long low = (bytes.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }

  /**
   * Returns the kind and a digest, which distinguishes phones that end in the same two digits, and
   * cards and accounts, of which nothing is shown.
   */
  private String payer(Instrument it) {
    return it.kind() + ":" + it.masked() + "~" + shortDigest(it.kind(), it.id());
  }

  /** Returns nothing for the first attempt, whose key is older than attempts are. */
  private static String attempt(PaymentRequest it) {
    return it.attempt() == 1 ? "" : ":attempt:" + it.attempt();
  }

  private String part(String id) {
    String written = id.replace("%", "%25").replace(":", "%3A").replace("~", "%7E");
    if (written.length() <= MAX_WRITTEN_CHARS) {
      return written;
    }
    int end = MAX_PREFIX_CHARS;
    if (Character.isHighSurrogate(written.charAt(end - 1))) {
      end--;
    }
    return written.substring(0, end) + "~" + shortDigest("id", id);
  }

  private String shortDigest(String kind, String text) {
    return digest(kind, text).digest().substring(0, DIGEST_CHARS);
  }

  private Fingerprint digest(String... parts) {
    var digest = fingerprinter.start();
    for (String part : parts) {
      digest.text(part);
    }
    return digest.finish();
  }
}
