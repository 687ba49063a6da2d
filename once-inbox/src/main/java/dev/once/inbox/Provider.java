package dev.once.inbox;

import dev.once.Terms;
import dev.once.internal.Limits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A sender of webhooks, with the rules by which its deliveries are verified and its items
 * identified. An immutable value; a change of one setting makes another:
 *
 * <pre>{@code
 * Provider.stripe("acme", secret).withRetention(Duration.ofDays(30))
 * }</pre>
 */
public final class Provider {
  public static final int MAX_ITEMS = 10_000;
  public static final Duration MAX_TOLERANCE = Duration.ofDays(1);
  private static final String NAME = "[a-z0-9-]{1,32}";

  private final ProviderSettings is;

  Provider(ProviderSettings settings) {
    requireName(settings.name);
    Limits.range("items in a delivery", settings.maxItems, 1, MAX_ITEMS);
    Limits.range("tolerance", settings.tolerance, Duration.ofSeconds(1), MAX_TOLERANCE);
    Limits.range("retention", settings.retention, Terms.MIN_RETENTION, Terms.MAX_RETENTION);
    if (settings.retention.compareTo(settings.tolerance.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "retention must be at least twice the tolerance of %s, or a captured delivery would be accepted as new again, got %s"
              .formatted(settings.tolerance, settings.retention));
    }
    this.is = settings; // not changed after this point
  }

  /**
   * Returns a provider for the WhatsApp Cloud API of Meta: messages, and the states of messages
   * that were sent.
   *
   * @param tenant the tenant that the items belong to
   * @param appSecret the secret that Meta signs with
   * @param verifyToken the token that Meta is configured to send when it verifies the address
   */
  public static Provider whatsApp(String tenant, String appSecret, String verifyToken) {
    return Presets.whatsApp(tenant, verifyToken, appSecret);
  }

  /**
   * Returns a provider for the WhatsApp Cloud API, as {@link #whatsApp(String, String, String)}
   * does.
   *
   * @param appSecrets the valid secrets: one, or two while one replaces the other
   */
  public static Provider whatsApp(String tenant, List<String> appSecrets, String verifyToken) {
    return Presets.whatsApp(tenant, verifyToken, appSecrets.toArray(String[]::new));
  }

  /**
   * Returns a provider for callbacks of MTN MoMo. They are not signed, so no handler runs before
   * MTN has confirmed an item. Put the reference into the path of the callback's address, below a
   * {@link #withPathToken token}.
   */
  public static Provider mtnMomo(String tenant) {
    return Presets.mtnMomo(tenant);
  }

  /**
   * Returns a provider for Standard Webhooks 1.0.0.
   *
   * @param keys the valid keys: secrets ({@code whsec_…}, for signatures of version {@code v1}) and
   *     public keys ({@code whpk_…}, for {@code v1a})
   */
  public static Provider standardWebhooks(String tenant, String... keys) {
    return OtherPresets.standardWebhooks(tenant, keys);
  }

  /** Returns a provider for senders that use Svix, whose headers begin with {@code svix-}. */
  public static Provider svix(String tenant, String... secrets) {
    return OtherPresets.svix(tenant, secrets);
  }

  /**
   * Returns a provider for Slack, with the app's signing secrets: events, whose ids identify them,
   * and commands and interactions, which Slack sends once. The challenge that Slack sends first is
   * answered.
   */
  public static Provider slack(String tenant, String... signingSecrets) {
    return OtherPresets.slack(tenant, signingSecrets);
  }

  /**
   * Returns a provider for events of one Shopify store, with the app's client secrets. Shopify
   * signs the body alone, so items are identified by it and the topic as well as by the delivery's
   * id. The store's domain is not signed either: give each store a provider of its own.
   */
  public static Provider shopify(String tenant, String... clientSecrets) {
    return OtherPresets.shopify(tenant, clientSecrets);
  }

  /**
   * Returns a provider for webhooks of Twilio, as forms or as JSON.
   *
   * @param url the address as it is configured at Twilio, which is signed too
   */
  public static Provider twilio(String tenant, String url, String... authTokens) {
    return OtherPresets.twilio(tenant, url, authTokens);
  }

  /**
   * Returns a provider for events of PayPal. Of the body, PayPal signs only a checksum that can be
   * imitated: a client that has seen one genuine delivery can send others. Query PayPal before an
   * event has any effect, with {@link WebhookHandler#confirmedBy}.
   *
   * @param webhookId the id of the webhook, as PayPal shows it
   * @param certificates PayPal's valid certificates, in PEM: they are not fetched from the address
   *     that a delivery names, and neither their chain nor their expiry is checked
   */
  public static Provider payPal(String tenant, String webhookId, String... certificates) {
    return OtherPresets.payPal(tenant, webhookId, certificates);
  }

  /**
   * Returns a provider for events of Stripe, with the secrets of the endpoint as Stripe shows them.
   */
  public static Provider stripe(String tenant, String... secrets) {
    return Presets.stripe(tenant, secrets);
  }

  /** Returns a provider for events of GitHub, as JSON or as forms. */
  public static Provider gitHub(String tenant, String... secrets) {
    return Presets.gitHub(tenant, secrets);
  }

  /** Returns a provider for any other sender. The given rules are all that is known about it. */
  public static Provider custom(String name, String tenant, Signing signing, Fields fields) {
    return Presets.custom(name, tenant, signing, fields);
  }

  /**
   * Returns the same provider with another name: the last part of the address, and of the keys'
   * scope.
   */
  public Provider withName(String name) {
    return with(it -> it.name = name);
  }

  /** Assigns items of these accounts to these tenants, and only the others to the fixed tenant. */
  public Provider withTenants(Map<String, String> byAccount) {
    return with(it -> it.tenants = new AccountTenants(it.tenants.fixed(), byAccount));
  }

  /**
   * Accepts deliveries only with this secret as the next segment of the path; others are answered
   * as if the provider did not exist.
   */
  public Provider withPathToken(String token) {
    return with(it -> it.pathToken = Optional.of(new PathToken(token)));
  }

  /** Accepts only bodies of these types. */
  public Provider withMediaTypes(String... types) {
    return with(it -> it.conditions = it.conditions.withMediaTypes(List.of(types)));
  }

  /** Accepts bodies of up to this size, at most 64 MiB. */
  public Provider withMaxBytes(int bytes) {
    return with(it -> it.conditions = it.conditions.withMaxBytes(bytes));
  }

  /** Accepts up to this many items in one delivery. */
  public Provider withMaxItems(int items) {
    return with(it -> it.maxItems = items);
  }

  /** Accepts deliveries that were signed up to this long ago, or ahead of our clock. */
  public Provider withTolerance(Duration tolerance) {
    return with(it -> it.tolerance = tolerance);
  }

  /**
   * Retains the records of items for this long; it must be longer than the provider resends them.
   */
  public Provider withRetention(Duration retention) {
    return with(it -> it.retention = retention);
  }

  /** Stores items, redacted, with their records. */
  public Provider withBodyKept() {
    return with(it -> it.keepsBody = true);
  }

  public String name() {
    return is.name;
  }

  public Duration retention() {
    return is.retention;
  }

  int maxBytes() {
    return is.conditions.maxBytes();
  }

  String tenantOf(Item item) {
    return is.tenants.of(item.account());
  }

  boolean sendsFor(String tenant) {
    return is.tenants.fixed().equals(tenant) || is.tenants.byAccount().containsValue(tenant);
  }

  /** Returns whether the provider has to confirm an item before its handler runs. */
  boolean mustBeConfirmed() {
    return is.mustBeConfirmed;
  }

  /**
   * Returns whether an item happened longer ago than the provider resends, or than its record would
   * be retained.
   */
  boolean isTooOld(Item item, Instant now) {
    return is.horizon.isPresent()
        && item.occurredAt().isPresent()
        && item.occurredAt().get().isBefore(now.minus(shorter(is.horizon.get(), is.retention)));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  boolean keepsBody() {
    return is.keepsBody;
  }

  /**
   * Returns the item as its provider confirms it. A delivery without a signature only indicates
   * what to query: id, type and all else are read from the provider's answer.
   */
  Item confirmed(Webhook hint, byte[] json) {
    if (json.length > Envelope.MAX_DATA_BYTES) {
      throw new DeliveryRejectedException(RejectionReason.TOO_LARGE);
    }
    if (!is.mustBeConfirmed) {
      return hint.withData(json);
    }
    Delivery answer =
        new Delivery(
            "POST",
            List.of(ItemId.firstOf(hint.id())),
            Map.of(),
            Map.of("content-type", "application/json"),
            json);
    List<Item> items = is.extraction.items(answer);
    if (items.size() != 1) {
      throw new DeliveryRejectedException(RejectionReason.MALFORMED);
    }
    return items.get(0).withData(json);
  }

  /** Refuses a delivery before its body is read: wrong address, method, type or announced size. */
  Optional<WebhookResponse> refuse(Delivery head) {
    try {
      admit(head, head.announcedBytes());
      return Optional.empty();
    } catch (DeliveryRejectedException e) {
      return Optional.of(e.webhookResponse());
    }
  }

  /** Checks a delivery: first its head, then its signature, and only then its content. */
  DeliveryCheck read(Delivery delivery, InstantSource clock) {
    try {
      Delivery admitted = admit(delivery, delivery.body().length);
      if (admitted.method().equals("GET")) {
        return new DeliveryCheck.Answered(is.challenge.orElseThrow().answer(admitted.query()));
      }
      is.verification.verify(admitted, new Freshness(clock.instant(), is.tolerance));
      Optional<WebhookResponse> greeting = is.greeting.apply(admitted);
      if (greeting.isPresent()) {
        return new DeliveryCheck.Answered(greeting.get());
      }
      return new DeliveryCheck.Genuine(bounded(is.extraction.items(admitted)));
    } catch (DeliveryRejectedException e) {
      return new DeliveryCheck.Answered(e.webhookResponse());
    }
  }

  /**
   * Checks the token first: without it, not even a wrong method may reveal that the provider
   * exists.
   */
  private Delivery admit(Delivery delivery, long bytes) {
    Delivery below = is.pathToken.map(it -> it.check(delivery)).orElse(delivery);
    is.conditions.check(below, bytes);
    return below;
  }

  /**
   * Limits the number of distinct items; duplicates in a delivery count once, and the inbox decides
   * about them.
   */
  private List<Item> bounded(List<Item> items) {
    if (items.size() > is.maxItems && distinct(items) > is.maxItems) {
      throw new DeliveryRejectedException(RejectionReason.TOO_MANY_ITEMS);
    }
    return items;
  }

  private static long distinct(List<Item> items) {
    return items.stream().map(it -> List.of(it.id(), it.fingerprint())).distinct().count();
  }

  private Provider with(Consumer<ProviderSettings> change) {
    ProviderSettings settings = new ProviderSettings(is);
    change.accept(settings);
    return new Provider(settings);
  }

  /** Shows no secrets. */
  @Override
  public String toString() {
    return "Provider[" + is.name + "]";
  }

  static void requireName(String name) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException(
          "provider must be named by 1 to 32 characters of a-z0-9-, got " + name);
    }
  }
}
