package dev.once.gateway;

import dev.once.http.Caller;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOnce;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import dev.once.servlet.RequestIds;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.pathmap.ServletPathSpec;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.URIUtil;
import org.jspecify.annotations.Nullable;

/**
 * Decides about each request: where it goes, who sends it, whether it may be sent now, and whether
 * it is guarded. Nothing of that needs a store. A request without a guard goes to its service past
 * the servlets.
 */
final class Admission extends Handler.Wrapper {
  private final AtomicReference<Plan> plan;

  /** The paths that servlets of the gateway itself answer. */
  private final List<ServletPathSpec> mounted;

  private final PassThrough passThrough;

  /**
   * Admits requests.
   *
   * @param passThrough gets requests without a guard
   * @param servlets get the others, and what servlets of the gateway itself answer
   */
  Admission(AtomicReference<Plan> plan, PassThrough passThrough, ServletContextHandler servlets) {
    super(servlets);
    this.plan = plan;
    this.passThrough = passThrough;
    this.mounted =
        Stream.of(servlets.getServletHandler().getServletMappings())
            .flatMap(it -> Stream.of(it.getPathSpecs()))
            .filter(it -> !it.equals(UpstreamServlet.PATH))
            .map(ServletPathSpec::new)
            .toList();
    addBean(passThrough);
  }

  @Override
  public void setServer(Server server) {
    super.setServer(server);
    passThrough.setServer(server);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    identify(request.getHeaders(), response.getHeaders());
    Plan now = plan.get();
    if (Plan.isMisspelledWrite(request.getMethod())) {
      String detail = "methods are in upper case, such as POST";
      return refuse(now, GatewayProblem.METHOD_REFUSED, detail, response, callback);
    }
    // The path as servlets get it, so that what is decided here is what they would decide.
    String path = URIUtil.decodePath(Request.getPathInContext(request));
    if (mounted.stream().anyMatch(it -> it.matches(path))) {
      return admit(now, Optional.empty(), request, response, callback);
    }
    Optional<Upstream> upstream = now.upstream(path);
    if (upstream.isEmpty()) {
      return refuse(
          now, GatewayProblem.NO_UPSTREAM, "no upstream takes this path", response, callback);
    }
    HttpURI uri = request.getHttpURI();
    Optional<URI> address = upstream.get().address(uri.getPath(), uri.getQuery());
    if (address.isEmpty()) {
      String detail = "percent-encode all characters that a URI may not have (RFC 3986)";
      return refuse(now, GatewayProblem.ADDRESS_REFUSED, detail, response, callback);
    }
    Target target = now.target(upstream.get(), address.get(), request.getMethod(), path);
    return admit(now, Optional.of(target), request, response, callback);
  }

  private boolean admit(
      Plan now, Optional<Target> target, Request request, Response response, Callback callback)
      throws Exception {
    Optional<Caller> caller;
    try {
      caller = now.caller(request);
    } catch (KeysUnavailableException e) {
      String detail = "nothing was sent: send the same request again, but later";
      return refuse(now, GatewayProblem.KEYS_UNAVAILABLE, detail, response, callback);
    }
    Duration wait =
        Plan.isWrite(request.getMethod())
            ? caller.map(now::take).orElse(Duration.ZERO)
            : Duration.ZERO;
    if (!wait.isZero()) {
      return refuse(
          limited(target.map(Target::http).orElseGet(now::http), wait), response, callback);
    }
    caller.ifPresent(it -> Callers.attach(request, it));
    if (target.isPresent() && target.get().guard().isEmpty()) {
      return passThrough.handle(new Passage(request, target.get()), response, callback);
    }
    target.ifPresent(it -> it.attachTo(request));
    return super.handle(request, response, callback);
  }

  private static HttpAnswer limited(HttpOnce http, Duration wait) {
    String detail = "nothing was sent: send the same request again, but later";
    return http.refuse(new RefusedException(Refusal.RATE_LIMITED, detail), wait);
  }

  private static boolean refuse(
      Plan now, GatewayProblem problem, String detail, Response response, Callback callback) {
    return refuse(problem.answer(now.http().contract(), detail), response, callback);
  }

  private static boolean refuse(HttpAnswer answer, Response response, Callback callback) {
    HandlerAnswers.write(answer, response, callback);
    return true;
  }

  /** Gives the request its ids, which the service, the record, the log and the client get. */
  private static void identify(HttpFields request, HttpFields.Mutable response) {
    String own = fit(request.get(RequestIds.REQUEST)).orElseGet(Admission::newId);
    response.put(RequestIds.REQUEST, own);
    response.put(RequestIds.CORRELATION, fit(request.get(RequestIds.CORRELATION)).orElse(own));
  }

  private static Optional<String> fit(@Nullable String id) {
    return Optional.ofNullable(id).filter(RequestIds::isFit);
  }

  /** Only has to differ: random numbers for secrets have a lock that all requests would share. */
  private static String newId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }
}
