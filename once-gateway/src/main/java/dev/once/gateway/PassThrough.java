package dev.once.gateway;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests without a guard to their service. It streams both ways, and needs no servlet: they
 * are for the guard.
 */
final class PassThrough extends ProxyHandler {
  private final GatewayMetrics metrics;

  PassThrough(HttpClient client, GatewayMetrics metrics) {
    this.metrics = metrics;
    setHttpClient(client);
    setViaHost(UpstreamServlet.VIA);
  }

  /** Sends a {@link Passage}. */
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Target target = Passage.of(request).target();
    if (!target.upstream().admits()) {
      HandlerAnswers.write(UpstreamProblems.circuitOpen(target), response, callback);
      return true;
    }
    boolean sent = false;
    try {
      send(Passage.of(request), response, callback);
      sent = true;
    } finally {
      if (!sent) {
        target.upstream().released();
      }
    }
    return true;
  }

  private void send(Passage passage, Response response, Callback callback) {
    org.eclipse.jetty.client.Request sent = newProxyToServerRequest(passage, passage.getHttpURI());
    copyRequestHeaders(passage, sent);
    addProxyHeaders(passage, sent);
    sent.headers(headers -> UpstreamHeaders.add(headers, passage, response));
    if (hasContent(passage)) {
      sent.body(new BodyOfClient(passage));
    }
    boolean isWatched = passage.target().upstream().hasBreaker();
    sendProxyToServerRequest(
        passage, sent, isWatched ? new WatchedResponse(passage, response) : response, callback);
  }

  /** The address is that of the {@link Target}. */
  @Override
  protected HttpURI rewriteHttpURI(Request request) {
    return request.getHttpURI();
  }

  @Override
  protected org.eclipse.jetty.client.Request newProxyToServerRequest(
      Request request, HttpURI unused) {
    Passage passage = Passage.of(request);
    Target target = passage.target();
    long timeout = target.upstream().settings().timeout().toMillis();
    return getHttpClient()
        .newRequest(target.address())
        .method(request.getMethod())
        .timeout(timeout, TimeUnit.MILLISECONDS)
        .idleTimeout(timeout, TimeUnit.MILLISECONDS)
        .onRequestBegin(passage.sending()::begin);
  }

  @Override
  protected void copyRequestHeaders(Request request, org.eclipse.jetty.client.Request sent) {
    Target target = Passage.of(request).target();
    sent.headers(
        headers -> UpstreamHeaders.copy(request.getHeaders(), headers, target.privateHeaders()));
  }

  /** A request over HTTP/2 may have a body without announcing it. */
  private static boolean hasContent(Request request) {
    if (request.getLength() >= 0) {
      return request.getLength() > 0;
    }
    return request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)
        || request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2;
  }

  /** The ids are those of the gateway. */
  @Override
  protected @Nullable HttpField filterServerToProxyResponseField(HttpField field) {
    return UpstreamHeaders.isId(field) ? null : field;
  }

  @Override
  protected void onProxyToClientResponseComplete(
      Request request,
      org.eclipse.jetty.client.Request sent,
      org.eclipse.jetty.client.Response answer,
      Response response,
      Callback callback) {
    Target target = Passage.of(request).target();
    target.upstream().answered(answer.getStatus());
    metrics.forwarded(target, Forwarding.DONE);
    callback.succeeded();
  }

  @Override
  protected void onProxyToClientResponseFailure(
      Request request,
      org.eclipse.jetty.client.Request sent,
      org.eclipse.jetty.client.Response answer,
      Response response,
      Callback callback,
      Throwable failure) {
    Target target = Passage.of(request).target();
    target.upstream().released(); // Clients that leave must not open the circuit for others.
    metrics.forwarded(target, Forwarding.DONE);
    callback.failed(failure);
  }

  @Override
  protected void onServerToProxyResponseFailure(
      Request request,
      org.eclipse.jetty.client.Request sent,
      org.eclipse.jetty.client.@Nullable Response answer,
      Response response,
      Callback callback,
      Throwable failure) {
    Passage passage = Passage.of(request);
    Target target = passage.target();
    if (passage.isClientGone()) {
      target.upstream().released();
    } else {
      target.upstream().failed(failure);
    }
    boolean isSent = passage.sending().isPossible(failure);
    metrics.forwarded(target, isSent ? Forwarding.UNKNOWN : Forwarding.NOT_SENT);
    if (response.isCommitted()) {
      callback.failed(failure); // The client must not take a part for the whole.
      return;
    }
    UpstreamHeaders.startOver(response);
    HandlerAnswers.write(
        isSent
            ? UpstreamProblems.broken(target, failure)
            : UpstreamProblems.notSent(target, failure),
        response,
        callback);
  }

  /** The body as the client sends it. */
  private static final class BodyOfClient extends ProxyRequestContent {
    private final Passage passage;
    private volatile boolean isFailed;

    BodyOfClient(Passage passage) {
      super(passage);
      this.passage = passage;
    }

    @Override
    public Content.Chunk read() {
      Content.Chunk chunk = super.read();
      if (Content.Chunk.isFailure(chunk) && !isFailed) {
        passage.clientGone();
      }
      return chunk;
    }

    @Override
    public void fail(Throwable failure) {
      isFailed = true;
      super.fail(failure);
    }
  }

  /** The response to a client whose failures must not count as those of the service. */
  private static final class WatchedResponse extends Response.Wrapper {
    private final Passage passage;

    WatchedResponse(Passage passage, Response response) {
      super(passage, response);
      this.passage = passage;
    }

    @Override
    public void write(boolean last, ByteBuffer content, Callback callback) {
      super.write(
          last,
          content,
          new Callback.Nested(callback) {
            @Override
            public void failed(Throwable failure) {
              passage.clientGone();
              super.failed(failure);
            }
          });
    }
  }
}
