package dev.once.gateway;

import dev.once.Execution;
import dev.once.http.Caller;
import dev.once.servlet.CurrentExecution;
import dev.once.servlet.RequestIds;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;
import org.eclipse.jetty.ee11.servlet.ServletContextResponse;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * The headers that a service gets from the gateway alone. What clients send under these names is
 * removed, also with underscores, which many services read as hyphens.
 */
final class UpstreamHeaders {
  static final String TENANT = "Once-Tenant";
  static final String CALLER = "Once-Caller";

  /** Higher than that of every earlier attempt at the operation. */
  static final String FENCE = "Once-Fence";

  /** The number of the attempt, from 1 on. */
  static final String ATTEMPT = "Once-Attempt";

  private static final String OURS = "once-";

  /** For one connection; the service has its own name, and the gateway answers expectations. */
  private static final EnumSet<HttpHeader> OF_CONNECTIONS =
      EnumSet.of(
          HttpHeader.HOST,
          HttpHeader.CONNECTION,
          HttpHeader.KEEP_ALIVE,
          HttpHeader.PROXY_AUTHORIZATION,
          HttpHeader.PROXY_AUTHENTICATE,
          HttpHeader.PROXY_CONNECTION,
          HttpHeader.TRANSFER_ENCODING,
          HttpHeader.TE,
          HttpHeader.TRAILER,
          HttpHeader.UPGRADE);

  private static final Set<String> OF_PROXIES =
      Set.of(
          "forwarded",
          "x-forwarded-for",
          "x-forwarded-host",
          "x-forwarded-port",
          "x-forwarded-proto",
          "x-forwarded-prefix",
          "x-forwarded-server",
          "x-real-ip");

  private UpstreamHeaders() {}

  /** Copies what a client says to the service, and nothing else. */
  static void copy(HttpFields from, HttpFields.Mutable to, Set<String> privateHeaders) {
    Set<String> named = namedByConnection(from);
    for (HttpField field : from) {
      if (!isOfConnection(field, named) && !isReserved(field, privateHeaders)) {
        to.add(field);
      }
    }
  }

  private static boolean isOfConnection(HttpField field, Set<String> named) {
    HttpHeader header = field.getHeader(); // Null if Jetty does not know it.
    boolean isStandard = header != null && OF_CONNECTIONS.contains(header);
    return isStandard || named.contains(field.getLowerCaseName());
  }

  private static Set<String> namedByConnection(HttpFields headers) {
    List<String> named = headers.getCSV(HttpHeader.CONNECTION, false);
    if (named.isEmpty()) {
      return Set.of();
    }
    Set<String> lower = new HashSet<>();
    named.forEach(it -> lower.add(it.toLowerCase(Locale.ROOT)));
    return lower;
  }

  /** Removes what only the gateway may say, and what is for the gateway alone. */
  static void clean(HttpFields.Mutable headers, Set<String> privateHeaders) {
    for (var fields = headers.iterator(); fields.hasNext(); ) {
      if (isReserved(fields.next(), privateHeaders)) {
        fields.remove();
      }
    }
  }

  private static boolean isReserved(HttpField field, Set<String> privateHeaders) {
    String name = field.getLowerCaseName().replace('_', '-');
    return name.startsWith(OURS)
        || name.equals("expect") // The gateway answers it.
        || isFraming(field.getName(), name)
        || OF_PROXIES.contains(name)
        || privateHeaders.contains(name);
  }

  /** Returns whether a service that reads underscores as hyphens would find another end of body. */
  private static boolean isFraming(String sent, String name) {
    return sent.indexOf('_') >= 0
        && (name.equals("content-length") || name.equals("transfer-encoding"));
  }

  /** Adds who sends the request, its ids, and the grant under which it is sent. */
  static void add(
      HttpFields.Mutable headers, HttpServletRequest request, HttpServletResponse response) {
    add(
        headers,
        ServletContextRequest.getServletContextRequest(request),
        ServletContextResponse.getServletContextResponse(response));
    keepKey(headers, request);
    CurrentExecution.execution(request).ifPresent(it -> grant(headers, it));
  }

  /** Adds who sends the request, and its ids. */
  static void add(HttpFields.Mutable headers, Request request, Response response) {
    Callers.of(request).ifPresent(it -> identify(headers, it));
    copy(RequestIds.REQUEST, response.getHeaders(), headers);
    copy(RequestIds.CORRELATION, response.getHeaders(), headers);
    headers.put(HttpHeader.X_FORWARDED_FOR, Request.getRemoteAddr(request));
    headers.put(HttpHeader.X_FORWARDED_PROTO, request.getHttpURI().getScheme());
    String host = request.getHeaders().get(HttpHeader.HOST);
    if (host != null) {
      headers.put(HttpHeader.X_FORWARDED_HOST, host);
    }
  }

  private static void copy(String name, HttpFields from, HttpFields.Mutable to) {
    HttpField field = from.getField(name);
    if (field != null) {
      to.put(field);
    }
  }

  /** Returns whether a header has an id of the gateway, which a service does not change. */
  static boolean isId(HttpField field) {
    return isId(field.getName());
  }

  static boolean isId(String name) {
    return name.equalsIgnoreCase(RequestIds.REQUEST)
        || name.equalsIgnoreCase(RequestIds.CORRELATION);
  }

  /** Removes what a service has answered, and keeps the ids. */
  static void startOver(Response response) {
    HttpField request = response.getHeaders().getField(RequestIds.REQUEST);
    HttpField correlation = response.getHeaders().getField(RequestIds.CORRELATION);
    response.reset();
    response.getHeaders().put(request).put(correlation);
  }

  /** Adds the key again if the client named it in Connection, which says what a proxy removes. */
  private static void keepKey(HttpFields.Mutable headers, HttpServletRequest request) {
    String name = Target.of(request).http().contract().key().header();
    String key = request.getHeader(name);
    if (key != null && !headers.contains(name)) {
      headers.put(name, key);
    }
  }

  static void identify(HttpFields.Mutable headers, Caller caller) {
    headers.put(TENANT, caller.tenant());
    headers.put(CALLER, caller.id());
  }

  private static void grant(HttpFields.Mutable headers, Execution execution) {
    headers.put(FENCE, Long.toString(execution.fence()));
    headers.put(ATTEMPT, Integer.toString(execution.attempt()));
  }
}
