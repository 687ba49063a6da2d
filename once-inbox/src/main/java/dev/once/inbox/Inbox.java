package dev.once.inbox;

import dev.once.Headers;
import dev.once.Key;
import dev.once.StoreException;
import dev.once.internal.Limits;
import dev.once.internal.Listeners;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.internal.StoreThreads;
import dev.once.jdbc.internal.TransactionRunner;
import dev.once.jobs.Jobs;
import dev.once.jobs.Workers;
import dev.once.spi.Packing;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Accepts each item of a webhook delivery once. It verifies a delivery, then records and enqueues
 * its items in one commit before it acknowledges the delivery to the provider; workers process the
 * items afterwards. Concurrent deliveries share a statement and a commit. Thread-safe.
 */
public final class Inbox implements WebhookReceiver {
  /** Replaces unknown provider names in events, because the client controls those names. */
  private static final String UNKNOWN = "unknown";

  private static final int MAX_PURGE = 100_000;

  private final Map<String, Provider> providers;
  private final Jobs jobs;
  private final TransactionRunner work;
  private final InboxListener listener;
  private final InstantSource clock;
  private final Intake intake;
  private final JdbcRecordStore records;
  private final InboxItems items;

  private Inbox(Builder builder) {
    this.providers = Map.copyOf(builder.providers);
    this.jobs = builder.jobs;
    this.work = new TransactionRunner(builder.dataSource);
    this.listener = Listeners.<InboxEvent>guarded(builder.listener::on)::accept;
    this.clock = builder.clock;
    this.intake =
        new Intake(
            new TransactionRunner(builder.dataSource, StoreThreads.DEFAULT_TIMEOUT),
            StoreThreads.of(builder.dataSource, StoreThreads.DEFAULT_TIMEOUT),
            new AcceptStatement(Packing.of(jobs.sealing())));
    this.records = JdbcRecordStore.over(builder.dataSource);
    this.items = InboxItems.over(builder.dataSource, jobs);
  }

  /**
   * Returns a builder of an inbox whose tables are in {@code dataSource}'s database, as those of
   * {@code jobs} are. Items are encrypted, and their fingerprints keyed, as the payloads of {@code
   * jobs} are.
   */
  public static Builder builder(DataSource dataSource, Jobs jobs) {
    return new Builder(dataSource, jobs);
  }

  /** Returns the provider with this name, as in the path {@code /webhooks/{provider}}. */
  public Optional<Provider> provider(String name) {
    return Optional.ofNullable(providers.get(name));
  }

  /** Returns the names of the providers that send items for {@code tenant}, sorted. */
  public List<String> providersOf(String tenant) {
    return providers.values().stream()
        .filter(it -> it.sendsFor(tenant))
        .map(Provider::name)
        .sorted()
        .toList();
  }

  /** Returns what operators see of items. */
  public InboxItems items() {
    return items;
  }

  /**
   * Accepts a delivery. A response of 200 means that all of its items are committed; any other
   * response means that nothing of it was stored.
   *
   * @throws StoreException if the database did not answer, so that it is unknown what was stored:
   *     the provider has to send the delivery again
   */
  @Override
  public WebhookResponse receive(String provider, Delivery head, BodyReader body)
      throws IOException {
    Provider known = providers.get(provider);
    if (known == null) {
      return answer(UNKNOWN, RejectionReason.UNKNOWN_PROVIDER.webhookResponse());
    }
    Optional<WebhookResponse> refusal = known.refuse(head);
    if (refusal.isPresent()) {
      return answer(provider, refusal.get());
    }
    // One byte more than allowed is enough to detect that there are too many.
    return accept(known, head.withBody(body.read(known.maxBytes() + 1)));
  }

  /**
   * Accepts a delivery whose body has been read, as {@link #receive(String, Delivery, BodyReader)}
   * does.
   */
  public WebhookResponse receive(String provider, Delivery delivery) {
    Provider known = providers.get(provider);
    return known == null
        ? answer(UNKNOWN, RejectionReason.UNKNOWN_PROVIDER.webhookResponse())
        : accept(known, delivery);
  }

  /** Adds {@code handler} for the items of a provider, and returns {@code workers}. */
  public Workers.Builder process(Workers.Builder workers, String provider, WebhookHandler handler) {
    Provider known =
        provider(provider)
            .orElseThrow(() -> new IllegalArgumentException("there is no provider " + provider));
    if (known.mustBeConfirmed() && handler.confirming().isEmpty()) {
      throw new IllegalArgumentException(
          "any client can send in the name of "
              + provider
              + ", because nothing is signed: set confirmedBy to query the provider");
    }
    new ItemJobs(known, handler, this).addTo(workers);
    return workers;
  }

  /**
   * Returns the queue that holds a provider's items: for its settings, and for its dead letters.
   */
  public static String queueOf(Provider provider) {
    return queueOf(provider.name());
  }

  static String queueOf(String provider) {
    return "webhook." + provider;
  }

  /**
   * Deletes the stored states of at most {@code limit} objects after their retention has expired,
   * and returns the number of deleted objects. The records of items are purged with all other
   * records.
   */
  public int purge(int limit) {
    Limits.range("limit", limit, 1, MAX_PURGE);
    return work.run("purging the inbox", it -> ForgetOrderStatement.execute(it, limit));
  }

  private WebhookResponse accept(Provider provider, Delivery delivery) {
    DeliveryCheck deliveryCheck = provider.read(delivery, clock);
    if (deliveryCheck instanceof DeliveryCheck.Answered answered) {
      return answer(provider.name(), answered.webhookResponse());
    }
    Headers correlation = IncomingItem.correlation(delivery.body(), jobs::stored);
    List<Item> items =
        withoutReusedIds(
            provider,
            withoutOld(provider, ((DeliveryCheck.Genuine) deliveryCheck).items()),
            correlation);
    if (!items.isEmpty()) {
      store(
          provider,
          items.stream()
              .map(it -> IncomingItem.received(provider, it, jobs::stored, correlation))
              .toList());
    }
    return WebhookResponse.ACCEPTED;
  }

  /**
   * Drops items that happened longer ago than their provider resends: they are captured ones, and
   * the record that would show them to be duplicates may have expired.
   */
  private List<Item> withoutOld(Provider provider, List<Item> items) {
    Instant now = clock.instant();
    List<Item> current = new ArrayList<>();
    for (Item item : items) {
      if (provider.isTooOld(item, now)) {
        listener.on(new InboxEvent.TooOld(provider.name(), item.type(), keyOf(provider, item)));
      } else {
        current.add(item);
      }
    }
    return current;
  }

  /**
   * Drops items under an id that came before with another content, and records them as conflicts.
   * This concerns only ids that are not signed: their items are recorded by content. The ids are
   * recorded first, and an id that is known with this content decides nothing: if this process
   * stops here, the item is accepted when it is sent again. The id of known content is not
   * recorded: a client with one genuine delivery could send it under any number of ids.
   */
  private List<Item> withoutReusedIds(Provider provider, List<Item> items, Headers correlation) {
    List<Item> others = new ArrayList<>();
    List<Item> named = new ArrayList<>();
    for (Item item : items) {
      boolean isNamed = item.signedKey().isPresent() && !intake.isRecorded(keyOf(provider, item));
      (isNamed ? named : others).add(item);
    }
    if (named.isEmpty()) {
      return items;
    }
    List<IncomingItem> ids =
        named.stream()
            .map(it -> IncomingItem.unsignedId(provider, it, jobs::stored, correlation))
            .toList();
    List<Acceptance> answers = intake.accept(ids);
    List<IncomingItem> conflicts = new ArrayList<>();
    for (int i = 0; i < named.size(); i++) {
      if (answers.get(i) == Acceptance.CONFLICT) {
        conflicts.add(ids.get(i));
      } else {
        others.add(named.get(i));
      }
    }
    recordConflicts(conflicts);
    return others;
  }

  private static Key keyOf(Provider provider, Item item) {
    return new Key(provider.tenantOf(item), IncomingItem.SCOPE + provider.name(), item.key());
  }

  /** Publishes a response that refuses a delivery; an answered challenge is not a refusal. */
  private WebhookResponse answer(String provider, WebhookResponse webhookResponse) {
    if (webhookResponse.status() >= 400) {
      listener.on(new InboxEvent.Refused(provider, webhookResponse.status()));
    }
    return webhookResponse;
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
    recordConflicts(conflicts);
  }

  private void recordConflicts(List<IncomingItem> conflicts) {
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

  /** Accepts an item that its provider confirmed, unless the provider has confirmed it before. */
  void confirm(Provider provider, Item item, Headers correlation) {
    List<IncomingItem> confirmed = List.of(IncomingItem.confirmed(provider, item, correlation));
    if (intake.accept(confirmed).contains(Acceptance.NEW)) {
      jobs.wake(queueOf(provider));
    }
  }

  /**
   * Expires the record of an item that its provider refuted, because the item may become true
   * later. No fence is needed: if a late worker expires the record of an item that has become true
   * since, the provider is queried once more, and the item that it confirms is recorded under a
   * separate key.
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

  /** Configures the providers and the settings of an inbox. */
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

    /** Accepts the deliveries of {@code provider}. */
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

    /**
     * Sets the clock that the times of signatures are compared with; the system clock by default.
     */
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
