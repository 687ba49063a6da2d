package dev.once.internal;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.UnreadableOutcomeException;
import dev.once.spi.Packing;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a job or of a schedule as its row has it: the columns payload and sealed_by.
 *
 * @param bytes the payload itself, or the payload packed and sealed as outcomes are
 * @param sealedBy the id of the key that sealed it; null if it is not sealed
 */
@SuppressWarnings("ArrayRecordComponent") // passed from and to a row, never compared
public record JobPayload(byte[] bytes, @Nullable String sealedBy) {
  // A leased job has a record in the scope job:{queue}, under the same key. Another scope here
  // prevents that its sealed outcome and its sealed payload are exchanged.
  private static final String SCOPE = "job_payload:";

  /** Returns what a payload of a job is sealed for, by the columns of its row. */
  public static Key keyOf(String tenant, String queue, String key) {
    return new Key(tenant, SCOPE + queue, key);
  }

  /** Seals {@code payload} for {@code key}, if there are keys. */
  public static JobPayload of(Packing packing, Key key, byte[] payload) {
    if (!packing.seals()) {
      return new JobPayload(payload, null);
    }
    byte[] packed = packing.pack(key, Outcome.completed(Payload.of(payload)));
    return new JobPayload(packed, Packing.keyId(packed).orElseThrow());
  }

  /**
   * Returns the payload that was stored.
   *
   * @throws UnreadableOutcomeException if it is sealed and cannot be opened for {@code key}
   */
  public byte[] open(Packing packing, Key key) {
    if (sealedBy == null) {
      return bytes;
    }
    if (packing.unpack(key, bytes).payload() instanceof Payload.Bytes it) {
      return it.toArray();
    }
    throw new UnreadableOutcomeException(key, sealedBy, "it holds no payload", null);
  }

  /** Shows the size alone: payloads stay out of logs. */
  @Override
  public String toString() {
    return "JobPayload[" + bytes.length + " bytes" + (sealedBy == null ? "]" : ", sealed]");
  }
}
