package dev.once.jdbc;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Packing;
import dev.once.spi.StoredPayload;
import dev.once.spi.StoredPayload.Form;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An outcome's payload as the table stores it: the columns body_form, body_bytes and body. */
final class StoredBody {
  /** The body is the whole outcome, packed and sealed; the column headers is empty then. */
  private static final String SEALED = "sealed";

  final String form;
  final long size;
  final byte @Nullable [] bytes;

  private StoredBody(String form, long size, byte @Nullable [] bytes) {
    this.form = form;
    this.size = size;
    this.bytes = bytes;
  }

  static StoredBody of(Key key, Outcome outcome, Packing packing) {
    if (packing.seals()) {
      return new StoredBody(SEALED, outcome.payload().size(), packing.pack(key, outcome));
    }
    StoredPayload payload = StoredPayload.of(outcome.payload());
    boolean has = payload.form() == Form.RAW || payload.form() == Form.DEFLATE;
    String form = payload.form().name().toLowerCase(Locale.ROOT);
    return new StoredBody(form, payload.size(), has ? payload.bytes() : null);
  }

  int storedBytes() {
    return bytes == null ? 0 : bytes.length;
  }

  boolean isSealed() {
    return isSealed(form);
  }

  static boolean isSealed(String form) {
    return form.equals(SEALED);
  }

  /**
   * Returns the payload of a body that is not sealed.
   *
   * @throws IllegalArgumentException if the columns do not fit each other
   */
  static Payload payload(String form, long size, byte @Nullable [] bytes) {
    Form plain = Form.valueOf(form.toUpperCase(Locale.ROOT));
    return new StoredPayload(plain, size, bytes == null ? new byte[0] : bytes).toPayload();
  }
}
