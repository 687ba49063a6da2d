package dev.once.inbox;

import dev.once.Headers;
import dev.once.Key;
import dev.once.StoreException;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.spi.StoreThreads;
import dev.once.jdbc.spi.TransactionRunner;
import dev.once.jobs.Jobs;
import dev.once.jobs.Workers;
import dev.once.spi.Limits;
import dev.once.spi.Listeners;
import dev.once.spi.RecordStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Takes in what providers send, once. Whatever a delivery brings is verified, remembered item by
 * item, and enqueued, in one commit, before the provider is told that it was received; workers
 * process it afterwards. Deliveries that come at the same time share statement and commit.
 * Thread-safe.
 */
public final class Inbox {
  /** Stands for all names that are no provider's: they are whatever somebody sent. */
  static final String UNKNOWN = "unknown";

  private static final int MAX_PURGE = 100_000;

  private final Map<String, Provider> providers;
  private final Jobs jobs;
  private final TransactionRunner work;
  private final InboxListener listener;
  private final InstantSource clock;
  private final Intake intake;
  private final RecordStore records;

  private Inbox(Builder builder) {
    this.providers = Map.copyOf(builder.providers);
    this.jobs = builder.jobs;
    this.work = new TransactionRunner(builder.dataSource);
    this.listener = Listeners.<InboxEvent>guarded(builder.listener::on)::accept;
    this.clock = builder.clock;
    this.intake =
        new Intake(
            new TransactionRunner(builder.dataSource, StoreThreads.DEFAULT_TIMEOUT),
            StoreThreads.of(builder.dataSource, StoreThreads.DEFAULT_TIMEOUT));
    this.records = JdbcRecordStore.over(builder.dataSource);
  }

  /** An inbox whose tables are in {@code dataSource}'s database, as those of {@code jobs} are. */
  public static Builder builder(DataSource dataSource, Jobs jobs) {
    return new Builder(dataSource, jobs);
  }

  /** The provider of this name, as it is in the path {@code /webhooks/{provider}}. */
  public Optional<Provider> provider(String name) {
    return Optional.ofNullable(providers.get(name));
  }

  /**
   * Takes in a delivery. If the answer is 200, everything in it is safe; with any other, nothing of
   * it was kept.
   *
   * @throws StoreException if the database did not answer, so that nobody knows what was kept: the
   *     provider has to send it again
   */
  public WebhookResponse receive(String provider, Delivery delivery) {
    Provider known = providers.get(provider);
    if (known == null) {
      WebhookResponse nobody = RejectionReason.UNKNOWN_PROVIDER.webhookResponse();
      tellRefused(UNKNOWN, nobody);
      return nobody;
    }
    DeliveryCheck deliveryCheck = known.read(delivery, clock);
    if (deliveryCheck instanceof DeliveryCheck.Answered answered) {
      tellRefused(provider, answered.webhookResponse());
      return answered.webhookResponse();
    }
    List<Item> items = ((DeliveryCheck.Genuine) deliveryCheck).items();
    if (!items.isEmpty()) {
      String bodyHash = IncomingItem.hashOf(delivery.body());
      store(known, items.stream().map(it -> IncomingItem.received(known, it, bodyHash)).toList());
    }
    return WebhookResponse.ACCEPTED;
  }

  /** Adds {@code handler} for the items of a provider, and gives {@code workers} back. */
  public Workers.Builder process(Workers.Builder workers, String provider, WebhookHandler handler) {
    Provider known =
        provider(provider)
            .orElseThrow(() -> new IllegalArgumentException("there is no provider " + provider));
    if (known.mustBeConfirmed() && handler.confirming().isEmpty()) {
      throw new IllegalArgumentException(
          "anybody can send in the name of "
              + provider
              + ", because nothing is signed: say with confirmedBy how to ask the provider");
    }
    new ItemJobs(known, handler, this).addTo(workers);
    return workers;
  }

  /** The queue that a provider's items are in: for its settings, and for its dead letters. */
  public static String queueOf(Provider provider) {
    return "webhook." + provider.name();
  }

  /**
   * Forgets how far objects came that nobody reported about for as long as items are remembered, at
   * most {@code limit} of them, and returns how many those were. The records of items are purged
   * with all others.
   */
  public int purge(int limit) {
    Limits.range("limit", limit, 1, MAX_PURGE);
    return work.run("purging the inbox", it -> ForgetOrderStatement.execute(it, limit));
  }

  private void store(Provider provider, List<IncomingItem> arrivals) {
    List<Acceptance> answers = intake.accept(arrivals);
    List<IncomingItem> conflicts = new ArrayList<>();
    for (int i = 0; i < arrivals.size(); i++) {
      if (answers.get(i) == Acceptance.CONFLICT) {
        conflicts.add(arrivals.get(i));
      } else {
        tell(arrivals.get(i), answers.get(i));
      }
    }
    if (answers.contains(Acceptance.NEW)) {
      jobs.wake(queueOf(provider));
    }
    if (!conflicts.isEmpty()) {
      intake.accept(conflicts.stream().map(IncomingItem::asConflict).toList());
      conflicts.forEach(it -> tell(it, Acceptance.CONFLICT));
    }
  }

  private void tell(IncomingItem incoming, Acceptance acceptance) {
    String provider = incoming.provider().name();
    if (acceptance == Acceptance.DUPLICATE) {
      listener.on(new InboxEvent.Duplicate(provider, incoming.itemType(), incoming.key()));
    } else if (acceptance == Acceptance.CONFLICT) {
      listener.on(new InboxEvent.Conflict(provider, incoming.itemType(), incoming.key()));
    } else if (incoming.payload() != null) {
      listener.on(new InboxEvent.Accepted(provider, incoming.itemType(), incoming.key()));
    } else {
      listener.on(new InboxEvent.TooLarge(provider, incoming.itemType(), incoming.key()));
    }
  }

  /** Takes in what a provider said when it was asked, if it has not said so before. */
  void confirm(Provider provider, Item item, Headers correlation) {
    List<IncomingItem> confirmed = List.of(IncomingItem.confirmed(provider, item, correlation));
    if (intake.accept(confirmed).contains(Acceptance.NEW)) {
      jobs.wake(queueOf(provider));
    }
  }

  /**
   * Forgets an item that its provider knows nothing of, so that it can come true later. No fence is
   * needed: whoever comes late and forgets what has come true since makes the provider be asked
   * once more, and what it confirms is remembered under a key of its own.
   */
  void forget(Key key) {
    records.expire(key);
  }

  TransactionRunner work() {
    return work;
  }

  InboxListener listener() {
    return listener;
  }

  InstantSource clock() {
    return clock;
  }

  /** Tells of an answer that leaves a delivery out; a challenge that is answered is none. */
  void tellRefused(String provider, WebhookResponse webhookResponse) {
    if (webhookResponse.status() >= 400) {
      listener.on(new InboxEvent.Refused(provider, webhookResponse.status()));
    }
  }

  /** Says who sends, and how it is taken in. */
  public static final class Builder {
    private final DataSource dataSource;
    private final Jobs jobs;
    private final Map<String, Provider> providers = new LinkedHashMap<>();
    private InboxListener listener = InboxListener.NONE;
    private InstantSource clock = InstantSource.system();

    private Builder(DataSource dataSource, Jobs jobs) {
      this.dataSource = dataSource;
      this.jobs = jobs;
    }

    /** Takes in what {@code provider} sends. */
    public Builder provider(Provider provider) {
      if (providers.putIfAbsent(provider.name(), provider) != null) {
        throw new IllegalArgumentException("two providers are called " + provider.name());
      }
      return this;
    }

    public Builder listener(InboxListener listener) {
      this.listener = listener;
      return this;
    }

    /** What the times of signatures are compared with; this machine's clock by default. */
    public Builder clock(InstantSource clock) {
      this.clock = clock;
      return this;
    }

    public Inbox build() {
      InboxSchema.check(dataSource);
      return new Inbox(this);
    }
  }
}
