package dev.once.inbox;

import dev.once.Outcome;
import dev.once.Payload;
import dev.once.internal.JobPayload;
import dev.once.spi.Packing;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An item as it is written: what is sealed for its record, and what is sealed for its job.
 *
 * @param jobKey the key of its job; every call of {@link IncomingItem#jobKey} returns another one
 * @param keptForm how {@code kept} is encoded, as in the table of records
 * @param kept the redacted item to store with its record; null if it is not stored
 * @param payload the payload of its job; empty if it has none
 */
@SuppressWarnings("ArrayRecordComponent") // passed to the store, never compared
record StoredItem(
    IncomingItem item,
    String jobKey,
    String keptForm,
    byte @Nullable [] kept,
    Optional<JobPayload> payload) {
  static StoredItem of(IncomingItem item, Packing packing) {
    String jobKey = item.jobKey();
    byte @Nullable [] kept = item.kept();
    if (kept == null) {
      return new StoredItem(item, jobKey, "none", null, payload(item, jobKey, packing));
    }
    boolean seals = packing.seals();
    return new StoredItem(
        item,
        jobKey,
        seals ? "sealed" : "raw",
        seals ? packing.pack(item.key(), Outcome.completed(Payload.of(kept))) : kept,
        payload(item, jobKey, packing));
  }

  /** Returns how many bytes the redacted item has, however it is encoded. */
  long keptBytes() {
    byte @Nullable [] bytes = item.kept();
    return bytes == null ? 0 : bytes.length;
  }

  private static Optional<JobPayload> payload(IncomingItem item, String jobKey, Packing packing) {
    String queue = Inbox.queueOf(item.provider());
    return Optional.ofNullable(item.payload())
        .map(
            it -> JobPayload.of(packing, JobPayload.keyOf(item.key().tenant(), queue, jobKey), it));
  }
}
