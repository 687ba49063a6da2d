package dev.once.inbox;

import dev.once.Terms;
import dev.once.spi.Limits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Who sends webhooks, and how their deliveries are verified and told apart: one immutable value. A
 * change of one setting makes another:
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
    if (!settings.name.matches(NAME)) {
      throw new IllegalArgumentException(
          "provider must be named by 1 to 32 characters of a-z0-9-, got " + settings.name);
    }
    Limits.range("items in a delivery", settings.maxItems, 1, MAX_ITEMS);
    Limits.range("tolerance", settings.tolerance, Duration.ofSeconds(1), MAX_TOLERANCE);
    Limits.range("retention", settings.retention, Terms.MIN_RETENTION, Terms.MAX_RETENTION);
    if (settings.retention.compareTo(settings.tolerance.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "retention must be at least twice the tolerance of %s, or a delivery that somebody kept would be new again, got %s"
              .formatted(settings.tolerance, settings.retention));
    }
    this.is = settings; // never changed from here on
  }

  /**
   * The WhatsApp Cloud API of Meta: messages, and the states of messages that were sent.
   *
   * @param tenant whose items they are
   * @param appSecret what Meta signs with
   * @param verifyToken what Meta was told to show when it checks the address
   */
  public static Provider whatsApp(String tenant, String appSecret, String verifyToken) {
    return Presets.whatsApp(tenant, appSecret, verifyToken);
  }

  /**
   * Callbacks of MTN MoMo. They are not signed, so nothing happens before MTN was asked back; put
   * the reference into the path of the callback's address, below a {@link #withPathToken token}.
   */
  public static Provider mtnMomo(String tenant) {
    return Presets.mtnMomo(tenant);
  }

  /** Whoever follows Standard Webhooks 1.0.0, with symmetric secrets ({@code whsec_…}). */
  public static Provider standardWebhooks(String tenant, String... secrets) {
    return Presets.standardWebhooks(tenant, secrets);
  }

  /** Events of Stripe, with the secrets of the endpoint as Stripe shows them. */
  public static Provider stripe(String tenant, String... secrets) {
    return Presets.stripe(tenant, secrets);
  }

  /** Events of GitHub, as JSON or as forms. */
  public static Provider gitHub(String tenant, String... secrets) {
    return Presets.gitHub(tenant, secrets);
  }

  /** Anyone else: what is declared here is all that is known. */
  public static Provider custom(String name, String tenant, Signing signing, Fields fields) {
    return Presets.custom(name, tenant, signing, fields);
  }

  /** The same under another name: the last part of the address, and of the keys' scope. */
  public Provider withName(String name) {
    return with(it -> it.name = name);
  }

  /** Gives items of these accounts to these tenants, and only the others to the fixed one. */
  public Provider withTenants(Map<String, String> byAccount) {
    return with(it -> it.tenants = new AccountTenants(it.tenants.fixed(), byAccount));
  }

  /**
   * Takes deliveries only with this secret as the path's next segment; nothing is there without.
   */
  public Provider withPathToken(String token) {
    return with(it -> it.pathToken = Optional.of(new PathToken(token)));
  }

  /** Takes bodies of these types alone. */
  public Provider withMediaTypes(String... types) {
    return with(it -> it.conditions = it.conditions.withMediaTypes(List.of(types)));
  }

  /** Takes bodies of up to this size, at most 64 MiB. */
  public Provider withMaxBytes(int bytes) {
    return with(it -> it.conditions = it.conditions.withMaxBytes(bytes));
  }

  /** Takes up to this many items in one delivery. */
  public Provider withMaxItems(int items) {
    return with(it -> it.maxItems = items);
  }

  /** Takes deliveries that were signed up to this long ago, or ahead of our clock. */
  public Provider withTolerance(Duration tolerance) {
    return with(it -> it.tolerance = tolerance);
  }

  /** Remembers items for this long: longer than the provider sends them again. */
  public Provider withRetention(Duration retention) {
    return with(it -> it.retention = retention);
  }

  /** Keeps bodies, redacted, beside the items. */
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

  /** Whether the provider has to be asked back before an item takes effect. */
  boolean mustBeConfirmed() {
    return is.mustBeConfirmed;
  }

  boolean keepsBody() {
    return is.keepsBody;
  }

  /**
   * The item as its provider confirms it. Where nobody signs, what was sent says no more than what
   * to ask about: id, type and all else are read from the answer.
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

  /** Refuses what need not be read: wrong address, method, type or announced size. */
  Optional<WebhookResponse> refuse(Delivery head, long bytes) {
    try {
      admit(head, bytes);
      return Optional.empty();
    } catch (DeliveryRejectedException e) {
      return Optional.of(e.webhookResponse());
    }
  }

  /** What a delivery is: looked at from outside first, then verified, and only then read. */
  DeliveryCheck read(Delivery delivery, InstantSource clock) {
    try {
      Delivery admitted = admit(delivery, delivery.body().length);
      if (admitted.method().equals("GET")) {
        return new DeliveryCheck.Answered(is.challenge.orElseThrow().answer(admitted.query()));
      }
      is.verification.verify(admitted, new Freshness(clock.instant(), is.tolerance));
      return new DeliveryCheck.Genuine(bounded(is.extraction.items(admitted)));
    } catch (DeliveryRejectedException e) {
      return new DeliveryCheck.Answered(e.webhookResponse());
    }
  }

  /** The token comes first: without it not even a wrong method may tell that something is here. */
  private Delivery admit(Delivery delivery, long bytes) {
    Delivery below = is.pathToken.map(it -> it.check(delivery)).orElse(delivery);
    is.conditions.check(below, bytes);
    return below;
  }

  /** Items that are there twice count once; what is to be made of them is the inbox's to say. */
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
}
