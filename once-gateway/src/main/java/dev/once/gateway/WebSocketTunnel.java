package dev.once.gateway;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.client.BufferingResponseListener;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpUpgrader;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Passes WebSocket connections through, untouched. The service gets the client's handshake; if it
 * accepts, bytes are copied in both directions until one side closes. A WebSocket is not a request
 * that could be guarded: what is sent over it is between client and service.
 */
final class WebSocketTunnel extends Handler.Wrapper {
  private static final int MAX_REFUSAL_BYTES = 64 * 1024;

  private final HttpClient client;
  private final Function<String, Optional<Upstream>> upstreams;
  private final Supplier<Set<String>> privateHeaders;

  /**
   * Creates a tunnel in front of {@code next}.
   *
   * @param client a client that can upgrade connections
   * @param upstreams finds the service for a path
   * @param privateHeaders returns the headers that are for the gateway alone, in lower case
   */
  WebSocketTunnel(
      HttpClient client,
      Function<String, Optional<Upstream>> upstreams,
      Supplier<Set<String>> privateHeaders,
      Handler next) {
    super(next);
    this.client = client;
    this.upstreams = upstreams;
    this.privateHeaders = privateHeaders;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Optional<Upstream> upstream =
        isHandshake(request)
            ? upstreams.apply(Request.getPathInContext(request))
            : Optional.empty();
    if (upstream.isEmpty()) {
      return super.handle(request, response, callback);
    }
    new Handshake(request, response, callback).send(upstream.get().settings());
    return true;
  }

  private static boolean isHandshake(Request request) {
    return HttpMethod.GET.is(request.getMethod())
        && request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1
        && request.getHeaders().contains(HttpHeader.CONNECTION, "upgrade")
        && request.getHeaders().contains(HttpHeader.UPGRADE, "websocket");
  }

  /** One handshake: it ends with a tunnel, with the service's refusal, or with a failure. */
  private final class Handshake extends BufferingResponseListener implements HttpUpgrader {
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final AtomicReference<Optional<EndPoint>> upgraded =
        new AtomicReference<>(Optional.empty());

    Handshake(Request request, Response response, Callback callback) {
      super(MAX_REFUSAL_BYTES);
      this.request = request;
      this.response = response;
      this.callback = callback;
    }

    void send(UpstreamSettings upstream) {
      String query = request.getHttpURI().getQuery();
      String target = upstream.target(request.getHttpURI().getPath(), query == null ? "" : query);
      HttpUpgrader.Factory factory = version -> this;
      client
          .newRequest(target)
          .headers(this::copy)
          .timeout(upstream.timeout().toMillis(), TimeUnit.MILLISECONDS)
          .attribute(HttpUpgrader.Factory.class.getName(), factory)
          .send(this);
    }

    private void copy(HttpFields.Mutable headers) {
      for (HttpField field : request.getHeaders()) {
        if (field.getHeader() != HttpHeader.HOST) {
          headers.add(field);
        }
      }
      UpstreamHeaders.clean(headers, privateHeaders.get());
      headers.put("X-Forwarded-For", Request.getRemoteAddr(request));
    }

    @Override
    public void prepare(org.eclipse.jetty.client.Request upstreamRequest) {
      // The client has prepared the handshake.
    }

    @Override
    public void upgrade(
        org.eclipse.jetty.client.Response answer, EndPoint upstream, Callback done) {
      upgraded.set(Optional.of(upstream));
      TunnelEnd server = new TunnelEnd(upstream, client.getExecutor(), client.getByteBufferPool());
      TunnelEnd ours =
          new TunnelEnd(
              request.getConnectionMetaData().getConnection().getEndPoint(),
              client.getExecutor(),
              client.getByteBufferPool());
      server.joinTo(ours);
      ours.joinTo(server);
      request.setAttribute(HttpStream.UPGRADE_CONNECTION_ATTRIBUTE, ours);
      response.setStatus(HttpStatus.SWITCHING_PROTOCOLS_101);
      response.getHeaders().clear();
      answer.getHeaders().forEach(response.getHeaders()::add);
      done.succeeded();
      // First the client must have the answer: what the service sends meanwhile waits.
      response.write(
          true,
          ByteBuffer.allocate(0),
          Callback.from(() -> start(upstream, server), callback::failed));
    }

    private void start(EndPoint upstream, TunnelEnd server) {
      callback.succeeded(); // Upgrades the connection to the client.
      upstream.upgrade(server);
    }

    @Override
    public void onComplete(Result result) {
      if (upgraded.get().isPresent()) {
        return;
      }
      if (result.isFailed()) {
        Response.writeError(request, response, callback, HttpStatus.BAD_GATEWAY_502);
        return;
      }
      response.setStatus(result.getResponse().getStatus());
      for (HttpField field : result.getResponse().getHeaders()) {
        if (field.getHeader() != HttpHeader.CONTENT_LENGTH
            && field.getHeader() != HttpHeader.TRANSFER_ENCODING
            && field.getHeader() != HttpHeader.CONNECTION
            && field.getHeader() != HttpHeader.UPGRADE) {
          response.getHeaders().add(field);
        }
      }
      response.write(true, ByteBuffer.wrap(getContent()), callback);
    }
  }
}
