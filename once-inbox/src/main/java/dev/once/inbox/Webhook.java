package dev.once.inbox;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.jobs.JobRun;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** One item of a provider, as passed to its handler. */
public final class Webhook {
  private final String provider;
  private final JobRun run;
  private final Headers head;
  private final byte[] data;

  Webhook(String provider, JobRun run) {
    this.provider = provider;
    this.run = run;
    this.head = Envelope.headOf(run.payload());
    this.data = Envelope.dataOf(run.payload());
  }

  public String tenant() {
    return run.key().tenant();
  }

  public String provider() {
    return provider;
  }

  /** Returns the kind of item: {@code message}, {@code status}, the name of an event. */
  public String type() {
    return head.first("type").orElse("");
  }

  /** Returns the id, unique among the items of its provider and the same in every attempt. */
  public String id() {
    return head.first("id").orElse("");
  }

  /**
   * Returns the provider's name for the account that the item is for, such as a phone number's id;
   * may be empty.
   */
  public String account() {
    return head.first("account").orElse("");
  }

  /** Returns the item as JSON, shared, not copied: do not change it. */
  public byte[] data() {
    return data;
  }

  /** Returns the item as JSON text. */
  public String text() {
    return new String(data, StandardCharsets.UTF_8);
  }

  /** Returns 1 for the first attempt, 2 for the second, and so on. */
  public int attempt() {
    return run.attempt();
  }

  /** Returns a number that rises with every run; see {@link JobRun#fence}. */
  public long fence() {
    return run.fence();
  }

  public Instant receivedAt() {
    return run.enqueuedAt();
  }

  /** Returns the key of its record. */
  Key key() {
    return new Key(tenant(), IncomingItem.SCOPE + provider, head.first("key").orElse(id()));
  }

  /** Returns the item as it was received, but with other data. */
  Item withData(byte[] data) {
    return new Item(type(), id(), account(), Fingerprint.NONE, rank(), data)
        .withSignedKey(head.first("key"));
  }

  Optional<Item.Rank> rank() {
    return Envelope.rankOf(head);
  }

  /** Shows neither id nor data. */
  @Override
  public String toString() {
    return "Webhook[" + key() + ", " + type() + ", try " + attempt() + "]";
  }
}
