package dev.once.webhooks;

import dev.once.internal.Limits;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * How endpoints are called. Immutable; change what differs from the default: {@code
 * WebhookHttp.DEFAULT.withTimeout(Duration.ofSeconds(30))}.
 */
public final class WebhookHttp {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(20);

  /** Calls https at public addresses alone, and waits 20 s for an answer. */
  public static final WebhookHttp DEFAULT =
      new WebhookHttp(DEFAULT_TIMEOUT, "once-webhooks", TargetRules.DEFAULT, Optional.empty());

  public static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
  public static final Duration MAX_TIMEOUT = Duration.ofMinutes(5);

  /** The rest of an answer is not read: its status says everything. */
  static final int MAX_RESPONSE_BYTES = 64 * 1024;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Pattern USER_AGENT = Pattern.compile("[ -~]{1,200}");

  private final Duration timeout;
  private final String userAgent;
  private final TargetRules rules;
  private final Optional<HttpClient> client;

  private WebhookHttp(
      Duration timeout, String userAgent, TargetRules rules, Optional<HttpClient> client) {
    this.timeout = timeout;
    this.userAgent = userAgent;
    this.rules = rules;
    this.client = client;
  }

  /** Sets how long a call may take in all, from its start to the status. */
  public WebhookHttp withTimeout(Duration timeout) {
    Limits.range("timeout of a webhook", timeout, MIN_TIMEOUT, MAX_TIMEOUT);
    return new WebhookHttp(timeout, userAgent, rules, client);
  }

  /** Sets the header {@code User-Agent}: the product that sends, and where its pages are. */
  public WebhookHttp withUserAgent(String userAgent) {
    if (!USER_AGENT.matcher(userAgent).matches()) {
      throw new IllegalArgumentException("user agent must have 1 to 200 characters of ASCII");
    }
    return new WebhookHttp(timeout, userAgent, rules, client);
  }

  /**
   * Sets which addresses may be called, in place of those of the public internet: for receivers in
   * a network of your own. All addresses of a host must be allowed.
   */
  public WebhookHttp withAddresses(Predicate<InetAddress> allowed) {
    return with(new TargetRules(rules.allowsHttp(), allowed, rules.resolver()));
  }

  /**
   * Allows http besides https: for tests, and networks of your own. Without TLS nothing shows that
   * the host that was checked is the one that is called.
   */
  public WebhookHttp withPlainHttp() {
    return with(new TargetRules(true, rules.addresses(), rules.resolver()));
  }

  /**
   * Sets the client: for certificates of your own, or a proxy, which then looks up hosts itself.
   *
   * @throws IllegalArgumentException if it follows redirects, which would not be checked
   */
  public WebhookHttp withClient(HttpClient client) {
    if (client.followRedirects() != Redirect.NEVER) {
      throw new IllegalArgumentException("client must not follow redirects: use Redirect.NEVER");
    }
    return new WebhookHttp(timeout, userAgent, rules, Optional.of(client));
  }

  WebhookHttp with(TargetRules rules) {
    return new WebhookHttp(timeout, userAgent, rules, client);
  }

  Duration timeout() {
    return timeout;
  }

  TargetRules rules() {
    return rules;
  }

  WebhookPost post(InstantSource clock) {
    return new WebhookPost(client.orElseGet(this::newClient), timeout, userAgent, rules, clock);
  }

  /** A proxy of the system's settings would be called in place of the address that is checked. */
  private HttpClient newClient() {
    return HttpClient.newBuilder()
        .version(Version.HTTP_1_1)
        .followRedirects(Redirect.NEVER)
        .proxy(HttpClient.Builder.NO_PROXY)
        .connectTimeout(timeout.compareTo(CONNECT_TIMEOUT) < 0 ? timeout : CONNECT_TIMEOUT)
        .build();
  }
}
