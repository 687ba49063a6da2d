package dev.once.gateway;

import dev.once.http.HttpAnswer;
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
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.AsyncRequestContent;
import org.eclipse.jetty.client.HttpClient;
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
 * <p>It gets the requests that have a guard, and {@link PassThrough} all others.
 */
final class UpstreamServlet extends AsyncProxyServlet {
  private static final long serialVersionUID = 1L;

  /** What no other servlet takes is for a service. */
  static final String PATH = "/*";

  /** The name of the gateway in {@code Via}. */
  static final String VIA = "once";

  private static final String SENDING = UpstreamServlet.class.getName() + ".sending";
  private static final String CLIENT_GONE = UpstreamServlet.class.getName() + ".client-gone";

  private final transient HttpClient client;
  private final transient GatewayMetrics metrics;

  UpstreamServlet(HttpClient client, GatewayMetrics metrics) {
    this.client = client;
    this.metrics = metrics;
  }

  @Override
  protected HttpClient createHttpClient() {
    return client;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    Target target = Target.of(request);
    if (!target.upstream().admits()) {
      refuse(request, response, UpstreamProblems.circuitOpen(target));
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

  /** Answers a request of which the service has seen nothing: the next one with its key is sent. */
  private static void refuse(
      HttpServletRequest request, HttpServletResponse response, HttpAnswer answer)
      throws IOException {
    CurrentExecution.refuse(request);
    Answers.write(answer, response);
  }

  @Override
  protected String rewriteTarget(HttpServletRequest request) {
    return Target.of(request).address().toString();
  }

  @Override
  protected Request newProxyRequest(HttpServletRequest request, String target) {
    return client
        .newRequest(Target.of(request).address())
        .method(request.getMethod())
        .attribute(CLIENT_REQUEST_ATTRIBUTE, request);
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
    Sending sending = new Sending();
    request.setAttribute(SENDING, sending);
    long timeout = Target.of(request).upstream().settings().timeout().toMillis();
    upstreamRequest
        .headers(headers -> UpstreamHeaders.add(headers, request, response))
        .timeout(timeout, TimeUnit.MILLISECONDS)
        .idleTimeout(timeout, TimeUnit.MILLISECONDS)
        .onRequestBegin(sending::begin); // From here on, bytes may be on their way.
    super.sendProxyRequest(request, response, upstreamRequest);
  }

  @Override
  protected @Nullable String filterServerResponseHeader(
      HttpServletRequest request, Response answer, String name, String value) {
    return UpstreamHeaders.isId(name) ? null : value;
  }

  @Override
  protected void onProxyResponseSuccess(
      HttpServletRequest request, HttpServletResponse response, Response answer) {
    Target target = Target.of(request);
    int status = answer.getStatus();
    target.upstream().answered(status);
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
    boolean sent =
        request.getAttribute(SENDING) instanceof Sending sending && sending.isPossible(failure);
    boolean isGuarded = CurrentExecution.execution(request).isPresent();
    metrics.forwarded(target, sent ? Forwarding.UNKNOWN : Forwarding.NOT_SENT);
    try {
      if (response.isCommitted()) {
        abort(response); // The client must not take a part for the whole.
      } else if (!sent) {
        startOver(response);
        refuse(request, response, UpstreamProblems.notSent(target, failure));
      } else if (isGuarded) {
        startOver(response);
        CurrentExecution.leaveUnknown(request);
        Answers.write(UpstreamProblems.unknown(target), response);
      } else {
        startOver(response);
        Answers.write(UpstreamProblems.broken(target, failure), response);
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
