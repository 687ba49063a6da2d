package dev.once.spi;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.Headers;
import dev.once.Key;
import dev.once.KeyRing;
import dev.once.Outcome;
import dev.once.Sealing;
import dev.once.UnreadableOutcomeException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * Converts an outcome to one byte array and back, sealed if there are keys. For stores that keep
 * outcomes whole. Thread-safe.
 *
 * <pre>
 * head:     version (1), length of key id (1), key id
 * content:  failed and form (1), status (2), length of headers (4), headers, size (8), payload
 * packed:   head, content              if the key id has no length
 *           head, nonce (12), AES-256-GCM of content with its tag (16)
 * </pre>
 *
 * The seal covers the head and the whole key, so that an outcome sealed for one record does not
 * open in another. Unsealed outcomes stay readable when keys are configured: sealing can be enabled
 * when there are records already.
 */
public final class Packing {
  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 2;
  private static final int CONTENT_HEAD_BYTES = 1 + Short.BYTES + Integer.BYTES + Long.BYTES;
  private static final int FAILED = 0x80;

  private final Sealing sealing;

  private Packing(Sealing sealing) {
    this.sealing = sealing;
  }

  public static Packing of(Sealing sealing) {
    return new Packing(sealing);
  }

  /** Whether what is packed now is sealed. */
  public boolean seals() {
    return sealing.ring().isPresent();
  }

  /** {@code outcome} as bytes for the record of {@code key}. */
  public byte[] pack(Key key, Outcome outcome) {
    Optional<KeyRing> ring = sealing.ring();
    byte[] head = head(ring.map(KeyRing::current).orElse(""));
    byte[] content = write(outcome);
    return ring.isEmpty()
        ? join(head, content)
        : join(head, Seal.seal(currentOf(ring.get()), context(head, key), content));
  }

  /**
   * Returns the outcome that {@link #pack} was given.
   *
   * @throws UnreadableOutcomeException if the bytes are damaged, belong to another record, or were
   *     sealed with a key that is not in the key ring
   */
  public Outcome unpack(Key key, byte[] packed) {
    int headBytes = headBytes(key, packed);
    byte[] head = Arrays.copyOf(packed, headBytes);
    byte[] rest = Arrays.copyOfRange(packed, headBytes, packed.length);
    if (headBytes == HEAD_BYTES) {
      return read(key, null, rest);
    }
    String id = new String(head, HEAD_BYTES, headBytes - HEAD_BYTES, US_ASCII);
    return read(key, id, open(key, id, head, rest));
  }

  /**
   * Whether {@link #pack} had keys when it made these bytes. For code that keeps them where other
   * programs can write: unsealed bytes there cannot be trusted.
   */
  public static boolean isSealed(byte[] packed) {
    return packed.length >= HEAD_BYTES && packed[1] != 0;
  }

  /** The id of the key with which {@link #pack} sealed these bytes; empty if it had none. */
  public static Optional<String> keyId(byte[] packed) {
    if (!isSealed(packed)) {
      return Optional.empty();
    }
    int length = Math.min(Byte.toUnsignedInt(packed[1]), packed.length - HEAD_BYTES);
    return Optional.of(new String(packed, HEAD_BYTES, length, US_ASCII));
  }

  private byte[] open(Key key, String id, byte[] head, byte[] sealed) {
    SecretKey secret =
        sealing.ring().flatMap(ring -> ring.key(id)).orElseThrow(() -> missing(key, id));
    try {
      return Seal.open(secret, context(head, key), sealed);
    } catch (GeneralSecurityException e) {
      throw new UnreadableOutcomeException(
          key,
          id,
          "key id %s does not open it: the ring has another key under that id, or it was changed"
              .formatted(id),
          e);
    }
  }

  private static int headBytes(Key key, byte[] packed) {
    if (packed.length < HEAD_BYTES || packed[0] != VERSION) {
      throw new UnreadableOutcomeException(
          key, null, "this release does not know its form: upgrade this node", null);
    }
    int bytes = HEAD_BYTES + Byte.toUnsignedInt(packed[1]);
    if (bytes > Math.min(packed.length, HEAD_BYTES + KeyRing.MAX_ID_CHARS)) {
      throw damaged(key, null, null);
    }
    return bytes;
  }

  private static byte[] write(Outcome outcome) {
    byte[] headers = outcome.headers().toText().getBytes(UTF_8);
    StoredPayload payload = StoredPayload.of(outcome.payload());
    int form = payload.form().code() | (outcome.failed() ? FAILED : 0);
    return ByteBuffer.allocate(CONTENT_HEAD_BYTES + headers.length + payload.bytes().length)
        .put((byte) form)
        .putShort((short) outcome.status())
        .putInt(headers.length)
        .put(headers)
        .putLong(payload.size())
        .put(payload.bytes())
        .array();
  }

  private static Outcome read(Key key, @Nullable String id, byte[] content) {
    try {
      ByteBuffer in = ByteBuffer.wrap(content);
      int form = Byte.toUnsignedInt(in.get());
      int status = in.getShort();
      Headers headers = Headers.parse(new String(next(in, in.getInt()), UTF_8));
      long size = in.getLong();
      StoredPayload payload =
          new StoredPayload(StoredPayload.Form.of(form & ~FAILED), size, next(in, in.remaining()));
      return new Outcome((form & FAILED) != 0, status, headers, payload.toPayload());
    } catch (RuntimeException e) {
      throw damaged(key, id, e);
    }
  }

  /** Reads no more than there is: a damaged length must not cost memory. */
  private static byte[] next(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("a length of " + length + " is beyond the end");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static byte[] head(String id) {
    return join(new byte[] {VERSION, (byte) id.length()}, id.getBytes(US_ASCII));
  }

  /**
   * Each part has its length in front, so that a moved boundary inside the key makes another
   * context.
   */
  private static byte[] context(byte[] head, Key key) {
    byte[] tenant = key.tenant().getBytes(UTF_8);
    byte[] scope = key.scope().getBytes(UTF_8);
    byte[] value = key.value().getBytes(UTF_8);
    return ByteBuffer.allocate(
            head.length + 3 * Integer.BYTES + tenant.length + scope.length + value.length)
        .put(head)
        .putInt(tenant.length)
        .put(tenant)
        .putInt(scope.length)
        .put(scope)
        .putInt(value.length)
        .put(value)
        .array();
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static SecretKey currentOf(KeyRing ring) {
    return ring.key(ring.current()).orElseThrow();
  }

  private static UnreadableOutcomeException missing(Key key, String id) {
    return new UnreadableOutcomeException(
        key, id, "it is sealed with key id %s: add that key to the ring".formatted(id), null);
  }

  private static UnreadableOutcomeException damaged(
      Key key, @Nullable String id, @Nullable Throwable cause) {
    return new UnreadableOutcomeException(
        key, id, "its bytes are damaged: restore the record from a backup", cause);
  }
}
