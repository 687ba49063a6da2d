package dev.once.client.internal;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/** A response with its body. */
record CompleteResponse(HttpResponse<?> response, BoundedBody.Content body)
    implements HttpResponse<BoundedBody.Content> {
  @Override
  public int statusCode() {
    return response.statusCode();
  }

  @Override
  public HttpRequest request() {
    return response.request();
  }

  /** Returns nothing: redirects are not followed. */
  @Override
  public Optional<HttpResponse<BoundedBody.Content>> previousResponse() {
    return Optional.empty();
  }

  @Override
  public HttpHeaders headers() {
    return response.headers();
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return response.sslSession();
  }

  @Override
  public URI uri() {
    return response.uri();
  }

  @Override
  public HttpClient.Version version() {
    return response.version();
  }
}
