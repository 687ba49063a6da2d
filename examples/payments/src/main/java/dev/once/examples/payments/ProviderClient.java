package dev.once.examples.payments;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Sends requests to a provider, with a timeout. */
final class ProviderClient {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private final URI base;

  ProviderClient(URI base) {
    this.base = base;
  }

  HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(base.resolve(path))
        .timeout(PATIENCE)
        .header("Content-Type", "application/json");
  }

  /**
   * Sends a request.
   *
   * @throws IOException if no answer came; the request may have taken effect
   */
  HttpResponse<String> send(HttpRequest request) throws IOException {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for " + request.uri());
    }
  }
}
