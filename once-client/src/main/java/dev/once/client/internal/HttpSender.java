package dev.once.client.internal;

import dev.once.internal.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;

/**
 * Sends requests, with a limit on the time until the whole answer is there and on the size of the
 * answer. The timeout of a request of the JDK ends with the headers of the answer: a body that
 * never ends would hold a thread forever.
 *
 * @param timeout for an exchange
 */
public record HttpSender(HttpClient http, Duration timeout) {
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
  public static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Set<String> SCHEMES = Set.of("http", "https");

  public HttpSender {
    Limits.range("timeout", timeout, Duration.ofMillis(1), MAX_TIMEOUT);
    if (http.followRedirects() != HttpClient.Redirect.NEVER) {
      throw new IllegalArgumentException(
          "the HTTP client must not follow redirects, which would send credentials to another"
              + " address: build it with followRedirects(HttpClient.Redirect.NEVER)");
    }
  }

  public static HttpSender standard() {
    HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1) // Some servers refuse an upgrade to HTTP/2.
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    return new HttpSender(http, DEFAULT_TIMEOUT);
  }

  /** Returns {@code address} as text to which a path can be appended. */
  public static String base(String whose, URI address) {
    if (!SCHEMES.contains(String.valueOf(address.getScheme()))
        || address.getHost() == null
        || address.getUserInfo() != null
        || address.getQuery() != null
        || address.getFragment() != null) {
      throw new IllegalArgumentException(
          "the address of %s must be http(s)://host[:port][/path], without a user: credentials belong into a header"
              .formatted(whose));
    }
    String text = address.toString();
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  /**
   * Sends a request once.
   *
   * @param maxBodyBytes how much of the answer's body is received
   * @throws InterruptedException if the thread is interrupted; the exchange is abandoned, and the
   *     request may have had its effect
   */
  public HttpResponse<BoundedBody.Content> send(HttpRequest request, int maxBodyBytes)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    HttpResponse<BoundedBody> response;
    try {
      response = http.send(timed(request), info -> new EarlyBody(new BoundedBody(maxBodyBytes)));
    } catch (RuntimeException e) {
      throw new IOException(e);
    }
    Duration left = timeout.minusNanos(System.nanoTime() - start);
    return new CompleteResponse(response, response.body().await(left));
  }

  /** The JDK's own limit is for the time until the headers are there. */
  private HttpRequest timed(HttpRequest request) {
    return request.timeout().filter(timeout::equals).isPresent()
        ? request
        : HttpRequest.newBuilder(request, (name, value) -> true).timeout(timeout).build();
  }
}
