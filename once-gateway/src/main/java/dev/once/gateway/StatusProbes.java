package dev.once.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.EffectState;
import dev.once.Headers;
import dev.once.Reconciler;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOperation;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpField;

/**
 * Asks services whether a request took effect whose answer was lost. An answer with a status that
 * the route does not name leaves it open.
 */
final class StatusProbes {
  /** What a service may need to answer; the retry carries them as the first request did. */
  private static final List<String> PASSED_ON =
      List.of("Authorization", "Cookie", "Accept", "Accept-Language");

  private static final int FIRST_ERROR = 400;

  private final HttpClient client;

  StatusProbes(HttpClient client) {
    this.client = client;
  }

  Reconciler<HttpAnswer> probe(
      ProbeSettings settings, Target target, HttpOperation operation, HttpServletRequest request) {
    return execution -> state(settings, target, send(settings, target, operation, request));
  }

  private ContentResponse send(
      ProbeSettings settings, Target target, HttpOperation operation, HttpServletRequest request)
      throws Exception {
    String template = settings.path().orElse(request.getRequestURI());
    String path = filled(template, operation, request);
    UpstreamSettings upstream = target.upstream().settings();
    Request get =
        client
            .newRequest(upstream.target(path, ""))
            .timeout(upstream.timeout().toMillis(), TimeUnit.MILLISECONDS);
    String keyHeader = target.http().contract().key().header();
    get.headers(
        headers -> {
          PASSED_ON.forEach(name -> copy(name, request, get));
          copy(keyHeader, request, get);
          UpstreamHeaders.identify(headers, operation.caller());
        });
    return get.send();
  }

  private static void copy(String name, HttpServletRequest from, Request to) {
    String value = from.getHeader(name);
    if (value != null) {
      to.headers(headers -> headers.put(name, value));
    }
  }

  /** Replaces {@code {key}}, and the names of the route's template by the parts of this path. */
  private static String filled(
      String template, HttpOperation operation, HttpServletRequest request) {
    String key = URLEncoder.encode(operation.request().key().value(), UTF_8).replace("+", "%20");
    String path = template.replace("{key}", key);
    String[] names = operation.route().template().split("/", -1);
    String[] values = request.getRequestURI().split("/", -1);
    for (int i = 0; i < Math.min(names.length, values.length); i++) {
      if (names[i].startsWith("{") && names[i].endsWith("}")) {
        path = path.replace(names[i], values[i]);
      }
    }
    return path;
  }

  private static EffectState<HttpAnswer> state(
      ProbeSettings settings, Target target, ContentResponse response) {
    if (settings.happened().contains(response.getStatus())) {
      HttpAnswer answer = answer(target, response);
      return answer.status() < FIRST_ERROR
          ? EffectState.happened(answer)
          : EffectState.failed(answer);
    }
    return settings.didNotHappen().contains(response.getStatus())
        ? EffectState.didNotHappen()
        : EffectState.unknown();
  }

  private static HttpAnswer answer(Target target, ContentResponse response) {
    Headers headers = Headers.NONE;
    for (HttpField field : response.getHeaders()) {
      if (field.getValue() != null
          && target.http().contract().keptHeaders().contains(field.getLowerCaseName())) {
        headers = headers.with(field.getName(), field.getValue());
      }
    }
    return HttpAnswer.of(response.getStatus(), headers, response.getContent());
  }
}
