package dev.once.inbox;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.jobs.JobRun;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** One item that a provider sent, as its handler sees it. */
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

  /** What it is: {@code message}, {@code status}, the name of an event. */
  public String type() {
    return head.first("type").orElse("");
  }

  /** What tells it apart from all other items of its provider; the same in every try. */
  public String id() {
    return head.first("id").orElse("");
  }

  /** The provider's name for whom it is meant, such as a phone number's id; may be empty. */
  public String account() {
    return head.first("account").orElse("");
  }

  /** The item as JSON, shared, not copied: do not change it. */
  public byte[] data() {
    return data;
  }

  /** The same as text. */
  public String text() {
    return new String(data, StandardCharsets.UTF_8);
  }

  /** 1 for the first try, 2 for the second, and so on. */
  public int attempt() {
    return run.attempt();
  }

  /** Rises with every run; see {@link JobRun#fence}. */
  public long fence() {
    return run.fence();
  }

  public Instant receivedAt() {
    return run.enqueuedAt();
  }

  /** The key under which it was remembered. */
  Key key() {
    return new Key(tenant(), IncomingItem.SCOPE + provider, id());
  }

  /** The item as it was received, but with other data. */
  Item withData(byte[] data) {
    return new Item(type(), id(), account(), Fingerprint.NONE, rank(), data);
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
