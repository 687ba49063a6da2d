package dev.once.webhooks;

import dev.once.Key;
import dev.once.internal.Limits;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Where a tenant's webhooks are sent, and the keys that they are signed with. Immutable; change
 * what differs from the default: {@code WebhookEndpoint.of("acme", "billing", url,
 * secret).withTypes("invoice.paid")}.
 */
public final class WebhookEndpoint {
  /** The maximum number of endpoints of a tenant. */
  public static final int MAX_PER_TENANT = 100;

  public static final int MAX_URL_CHARS = 2000;

  /** The maximum number of types that an endpoint can name. */
  public static final int MAX_TYPES = 100;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private final String tenant;
  private final String id;
  private final URI url;
  private final SigningKeys keys;
  private final SortedSet<String> types;
  private final boolean isOrdered;

  private WebhookEndpoint(
      String tenant,
      String id,
      URI url,
      SigningKeys keys,
      SortedSet<String> types,
      boolean isOrdered) {
    this.tenant = tenant;
    this.id = id;
    this.url = url;
    this.keys = keys;
    this.types = types;
    this.isOrdered = isOrdered;
  }

  /**
   * Returns an endpoint that receives messages of all types, one after the other.
   *
   * @param id names it within the tenant: 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-'
   * @param secrets every message is signed with each of them: {@code whsec_…} for HMAC-SHA256
   *     ({@link #newSecret}), {@code whsk_…} for Ed25519. There are two while one replaces the
   *     other
   */
  public static WebhookEndpoint of(String tenant, String id, URI url, String... secrets) {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    requireId(id);
    Limits.length("URL", url.toString(), 1, MAX_URL_CHARS);
    SigningKeys keys = SigningKeys.parse(Arrays.asList(secrets));
    return new WebhookEndpoint(tenant, id, url, keys, new TreeSet<>(), true);
  }

  /** Returns a new random secret for {@code v1} signatures. */
  public static String newSecret() {
    return SigningKeys.newSecret();
  }

  static void requireId(String id) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "id of an endpoint must have 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-',"
              + " got "
              + id.length()
              + " characters or others");
    }
  }

  /** Receives messages of these types alone; of all types if there are none. */
  public WebhookEndpoint withTypes(String... types) {
    Limits.range("types", types.length, 0, MAX_TYPES);
    List<String> names = List.of(types);
    names.forEach(WebhookMessage::requireType);
    return new WebhookEndpoint(tenant, id, url, keys, new TreeSet<>(names), isOrdered);
  }

  /**
   * Receives messages independently of each other: several at the same time, and one that fails
   * does not stop the others. It orders them by itself, by what they contain.
   */
  public WebhookEndpoint unordered() {
    return new WebhookEndpoint(tenant, id, url, keys, types, false);
  }

  public String tenant() {
    return tenant;
  }

  public String id() {
    return id;
  }

  public URI url() {
    return url;
  }

  /** Returns the types of the messages that it receives; empty for all. */
  public Set<String> types() {
    return Set.copyOf(types);
  }

  public boolean isOrdered() {
    return isOrdered;
  }

  /** Returns the types in their order. */
  List<String> sortedTypes() {
    return List.copyOf(types);
  }

  Target target() {
    return new Target(url, keys);
  }

  /** Shows the host alone: the rest of a URL may be a secret, as the keys are. */
  @Override
  public String toString() {
    return "WebhookEndpoint[" + tenant + ", " + id + ", " + url.getHost() + "]";
  }
}
