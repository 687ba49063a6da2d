package dev.once.gateway;

import dev.once.http.HttpAnswer;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import dev.once.servlet.Answers;
import dev.once.servlet.CurrentExecution;
import dev.once.servlet.RequestIds;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.client.AsyncRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.ProtocolHandlers;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.ee11.proxy.AsyncProxyServlet;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request to its service, once, and says what became of it:
 *
 * <ul>
 *   <li><b>done</b>: an answer came. The contract decides what is kept.
 *   <li><b>not sent</b>: no connection got the request. The key is released.
 *   <li><b>sent and unknown</b>: the request was on a connection, and no whole answer came back.
 *       The key stays held, and then the recovery of the route decides.
 * </ul>
 *
 * <p>Jetty's client does not repeat a request that a connection has begun to write: it sends one
 * again only if the connection had been closed before.
 */
final class UpstreamServlet extends AsyncProxyServlet {
  private static final long serialVersionUID = 1L;

  /** Its name in the container: what other servlets take is not for a service. */
  static final String NAME = "upstream";

  private static final String SENT = UpstreamServlet.class.getName() + ".sent";
  private static final String CLIENT_GONE = UpstreamServlet.class.getName() + ".client-gone";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  /** Shorter than servers keep idle connections, so that few are lost as a request is sent. */
  private static final Duration POOLED_IDLE_TIME = Duration.ofSeconds(3);

  private static final int MAX_CONNECTIONS = 512;
  private static final int MAX_QUEUED = 1024;
  private static final int FIRST_FAILURE = 500;

  private final transient GatewayMetrics metrics;

  UpstreamServlet(GatewayMetrics metrics) {
    this.metrics = metrics;
  }

  @Override
  protected HttpClient createHttpClient() throws ServletException {
    HttpClient client = super.createHttpClient();
    client.setConnectTimeout(CONNECT_TIMEOUT.toMillis());
    client.setIdleTimeout(POOLED_IDLE_TIME.toMillis());
    client.setMaxConnectionsPerDestination(MAX_CONNECTIONS);
    client.setMaxRequestsQueuedPerDestination(MAX_QUEUED);
    client.setUserAgentField(null);
    ProtocolHandlers handlers = client.getProtocolHandlers();
    handlers.clear(); // No redirects, no logins, no 100-continue: one request is sent once.
    return client;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    Target target = Target.of(request);
    if (!target.upstream().admits()) {
      refuse(request, response, circuitOpen(target));
      return;
    }
    boolean started = false;
    try {
      super.service(request, response);
      started = request.isAsyncStarted();
    } finally {
      if (!started) {
        target.upstream().released();
      }
    }
  }

  private static HttpAnswer circuitOpen(Target target) {
    RefusedException refused =
        new RefusedException(
            Refusal.CIRCUIT_OPEN,
            "nothing was sent, because the service behind the gateway fails: try again later with"
                + " the same key");
    return target.http().refuse(refused, target.upstream().openTime());
  }

  /** Answers a request of which the service has seen nothing: the next one with its key is sent. */
  private static void refuse(
      HttpServletRequest request, HttpServletResponse response, HttpAnswer answer)
      throws IOException {
    CurrentExecution.refuse(request);
    Answers.write(answer, response);
  }

  @Override
  protected @Nullable String rewriteTarget(HttpServletRequest request) {
    String query = request.getQueryString();
    String path = request.getRequestURI();
    return isAddress(path) && (query == null || isAddress(query))
        ? Target.of(request).upstream().settings().target(path, query == null ? "" : query)
        : null;
  }

  /** Returns whether a part of an address is one for the client of HTTP too. */
  private static boolean isAddress(String part) {
    try {
      URI unused = URI.create("http://upstream/?" + part);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  protected void onProxyRewriteFailed(HttpServletRequest request, HttpServletResponse response) {
    try {
      String detail = "percent-encode all characters that a URI may not have (RFC 3986)";
      refuse(request, response, problem(request, GatewayProblem.ADDRESS_REFUSED, detail));
    } catch (IOException e) {
      abort(response);
    }
  }

  /** A request over HTTP/2 may have a body without announcing it. */
  @Override
  protected boolean hasContent(HttpServletRequest request) {
    return super.hasContent(request)
        || (request.getContentLengthLong() < 0 && request.getProtocol().equals("HTTP/2.0"));
  }

  /** The gateway answers it itself, when the body is read. */
  @Override
  protected boolean expects100Continue(HttpServletRequest request) {
    return false;
  }

  @Override
  protected void copyRequestHeaders(HttpServletRequest request, Request upstreamRequest) {
    super.copyRequestHeaders(request, upstreamRequest);
    upstreamRequest.headers(
        headers -> UpstreamHeaders.clean(headers, Target.of(request).privateHeaders()));
  }

  @Override
  protected void sendProxyRequest(
      HttpServletRequest request, HttpServletResponse response, Request upstreamRequest) {
    AtomicBoolean sent = new AtomicBoolean();
    request.setAttribute(SENT, sent);
    long timeout = Target.of(request).upstream().settings().timeout().toMillis();
    upstreamRequest
        .headers(headers -> UpstreamHeaders.add(headers, request, response))
        .timeout(timeout, TimeUnit.MILLISECONDS)
        .idleTimeout(timeout, TimeUnit.MILLISECONDS)
        .onRequestBegin(it -> sent.set(true)); // From here on, bytes may be on their way.
    super.sendProxyRequest(request, response, upstreamRequest);
  }

  @Override
  protected @Nullable String filterServerResponseHeader(
      HttpServletRequest request, Response answer, String name, String value) {
    boolean isOurs =
        name.equalsIgnoreCase(RequestIds.REQUEST) || name.equalsIgnoreCase(RequestIds.CORRELATION);
    return isOurs ? null : value;
  }

  @Override
  protected void onProxyResponseSuccess(
      HttpServletRequest request, HttpServletResponse response, Response answer) {
    Target target = Target.of(request);
    int status = answer.getStatus();
    if (status >= FIRST_FAILURE) {
      target.upstream().failed(new IOException("the upstream answered " + status));
    } else {
      target.upstream().succeeded();
    }
    boolean isKept = target.http().contract().keptStatuses().contains(status);
    if (!isKept && target.doesNothing().contains(status)) {
      CurrentExecution.refuse(request);
    }
    metrics.forwarded(target, Forwarding.DONE);
    super.onProxyResponseSuccess(request, response, answer);
  }

  @Override
  protected ReadListener newReadListener(
      HttpServletRequest request,
      HttpServletResponse response,
      Request upstreamRequest,
      AsyncRequestContent content) {
    return new StreamReader(request, response, upstreamRequest, content) {
      @Override
      public void onError(Throwable failure) {
        request.setAttribute(CLIENT_GONE, true);
        super.onError(failure);
      }
    };
  }

  @Override
  protected StreamWriter newWriteListener(HttpServletRequest request, Response answer) {
    return new StreamWriter(request, answer) {
      @Override
      public void onError(Throwable failure) {
        request.setAttribute(CLIENT_GONE, true);
        super.onError(failure);
      }
    };
  }

  @Override
  protected void onProxyResponseFailure(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Response answer,
      Throwable failure) {
    Target target = Target.of(request);
    if (request.getAttribute(CLIENT_GONE) == null) {
      target.upstream().failed(failure);
    } else {
      target.upstream().released(); // Clients that leave must not open the circuit for others.
    }
    boolean sent = request.getAttribute(SENT) instanceof AtomicBoolean it && it.get();
    boolean isGuarded = CurrentExecution.execution(request).isPresent();
    metrics.forwarded(target, sent ? Forwarding.UNKNOWN : Forwarding.NOT_SENT);
    try {
      if (response.isCommitted()) {
        abort(response); // The client must not take a part for the whole.
      } else if (!sent) {
        startOver(response);
        refuse(request, response, notSent(request, failure));
      } else if (isGuarded) {
        startOver(response);
        CurrentExecution.leaveUnknown(request);
        Answers.write(unknown(target), response);
      } else {
        startOver(response);
        Answers.write(broken(request, failure), response);
      }
    } catch (IOException | IllegalStateException e) {
      abort(response);
    } finally {
      if (request.isAsyncStarted()) {
        request.getAsyncContext().complete();
      }
    }
  }

  /** Removes what the service has said, and keeps the ids of the request. */
  private static void startOver(HttpServletResponse response) {
    String request = response.getHeader(RequestIds.REQUEST);
    String correlation = response.getHeader(RequestIds.CORRELATION);
    response.reset();
    response.setHeader(RequestIds.REQUEST, request);
    response.setHeader(RequestIds.CORRELATION, correlation);
  }

  private static HttpAnswer notSent(HttpServletRequest request, Throwable failure) {
    GatewayProblem problem =
        failure instanceof RejectedExecutionException || failure instanceof TimeoutException
            ? GatewayProblem.BUSY
            : GatewayProblem.UNREACHABLE;
    return problem(
        request,
        problem,
        "the service behind the gateway got nothing of this request: try again with the same key");
  }

  private static HttpAnswer unknown(Target target) {
    RefusedException refused =
        new RefusedException(
            Refusal.OUTCOME_UNKNOWN,
            "the request was sent, and no whole answer came back: use no new key; a request with"
                + " the same one is answered as soon as the outcome is known");
    return target.http().refuse(refused, Duration.ofSeconds(1));
  }

  private static HttpAnswer broken(HttpServletRequest request, Throwable failure) {
    return failure instanceof TimeoutException
        ? problem(request, GatewayProblem.TIMEOUT, "the service behind the gateway is too slow")
        : problem(request, GatewayProblem.BROKEN, "the service behind the gateway broke off");
  }

  private static HttpAnswer problem(
      HttpServletRequest request, GatewayProblem problem, String detail) {
    return problem.answer(Target.of(request).http().contract(), detail);
  }

  /** Closes the connection to the client, or resets its stream: what it got is not whole. */
  private static void abort(ServletResponse response) {
    ServletResponse real = response;
    while (real instanceof ServletResponseWrapper wrapper) {
      real = wrapper.getResponse();
    }
    try {
      ((HttpServletResponse) real).sendError(-1);
    } catch (IOException | IllegalStateException e) {
      // It is closed already.
    }
  }
}
