package dev.once.opensearch;

import dev.once.internal.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Sends requests to OpenSearch 2 or Elasticsearch 7.11 and later, over HTTP. Immutable; {@code
 * OpenSearchClient.at(address).withAuthorization("ApiKey …")}.
 */
public final class OpenSearchClient {
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
  public static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Set<String> SCHEMES = Set.of("http", "https");

  private final String address;
  private final HttpClient http;
  private final Optional<String> authorization;
  private final Duration timeout;

  private OpenSearchClient(
      String address, HttpClient http, Optional<String> authorization, Duration timeout) {
    this.address = address;
    this.http = http;
    this.authorization = authorization;
    this.timeout = timeout;
  }

  /** Returns a client of the server, or of the load balancer of a cluster, at {@code address}. */
  public static OpenSearchClient at(URI address) {
    if (!SCHEMES.contains(String.valueOf(address.getScheme())) || address.getUserInfo() != null) {
      throw new IllegalArgumentException(
          "the address of OpenSearch must begin with http or https and have no user: set"
              + " withAuthorization(…) instead");
    }
    HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1) // Older servers refuse an upgrade to HTTP/2.
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    String text = address.toString();
    String base = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    return new OpenSearchClient(base, http, Optional.empty(), DEFAULT_TIMEOUT);
  }

  /** Sends this {@code Authorization} header with every request. */
  public OpenSearchClient withAuthorization(String header) {
    return new OpenSearchClient(address, http, Optional.of(header), timeout);
  }

  /** Uses another HTTP client, for certificates or proxies of one's own. */
  public OpenSearchClient withHttp(HttpClient client) {
    return new OpenSearchClient(address, client, authorization, timeout);
  }

  /** Waits this long for each answer, 30 s by default. */
  public OpenSearchClient withTimeout(Duration timeout) {
    Limits.range("timeout", timeout, Duration.ofMillis(1), MAX_TIMEOUT);
    return new OpenSearchClient(address, http, authorization, timeout);
  }

  /** Sends a request once. */
  SearchResponse send(String method, String path, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path))
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .method(
                method,
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    authorization.ifPresent(it -> request.header("Authorization", it));
    var response = http.send(request.build(), BodyHandlers.ofByteArray());
    return SearchResponse.of(response.statusCode(), response.body());
  }

  /**
   * Sends a request, again if the server is overloaded or cannot be reached.
   *
   * @return its answer, whatever its status
   */
  SearchResponse call(String method, String path, byte[] body) throws InterruptedException {
    RetryTimer retries = new RetryTimer(RetryTimer.DEFAULT_LIMIT);
    while (true) {
      try {
        SearchResponse response = send(method, path, body);
        if (!response.isOverload() || !retries.pause()) {
          return response;
        }
      } catch (IOException e) {
        if (!retries.pause()) {
          throw new SearchException("OpenSearch at " + address + " does not answer", e);
        }
      }
    }
  }
}
