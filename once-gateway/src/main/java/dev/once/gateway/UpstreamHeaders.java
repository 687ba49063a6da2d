package dev.once.gateway;

import dev.once.Execution;
import dev.once.http.Caller;
import dev.once.servlet.CurrentExecution;
import dev.once.servlet.RequestIds;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;

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

  /** Removes what only the gateway may say, and what is for the gateway alone. */
  static void clean(HttpFields.Mutable headers, Set<String> privateHeaders) {
    Set<String> removed = new HashSet<>();
    for (HttpField field : headers) {
      String name = field.getName().toLowerCase(Locale.ROOT).replace('_', '-');
      if (name.startsWith(OURS)
          || name.equals("expect") // The gateway answers it.
          || OF_PROXIES.contains(name)
          || privateHeaders.contains(name)) {
        removed.add(field.getName());
      }
    }
    removed.forEach(headers::remove);
  }

  /** Adds who sends the request, its ids, and the grant under which it is sent. */
  static void add(
      HttpFields.Mutable headers, HttpServletRequest request, HttpServletResponse response) {
    Callers.of(request).ifPresent(it -> identify(headers, it));
    CurrentExecution.execution(request).ifPresent(it -> grant(headers, it));
    for (String id : List.of(RequestIds.REQUEST, RequestIds.CORRELATION)) {
      String value = response.getHeader(id);
      if (value != null) {
        headers.put(id, value);
      }
    }
    headers.put("X-Forwarded-For", request.getRemoteAddr());
    headers.put("X-Forwarded-Proto", request.getScheme());
    String host = request.getHeader("Host");
    if (host != null) {
      headers.put("X-Forwarded-Host", host);
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
