package dev.once.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.inbox.Webhook;
import dev.once.inbox.WebhookHandler;
import dev.once.jobs.JobException;
import java.net.URLEncoder;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpMethod;

/**
 * Sends each item of a webhook to a service until the service has taken it: with a 2xx. The item's
 * id is its key, so a service that was interrupted recognizes it.
 */
final class WebhookForwarder {
  static final String TYPE = "Once-Webhook-Type";
  static final String ACCOUNT = "Once-Webhook-Account";

  /** The service will not take the item however often it is sent. */
  private static final Set<Integer> REFUSALS = Set.of(400, 410, 413, 415, 422);

  private static final int OK = 200;
  private static final int REDIRECT = 300;

  private final HttpClient client;
  private final Function<String, Optional<Upstream>> upstreams;

  WebhookForwarder(HttpClient client, Function<String, Optional<Upstream>> upstreams) {
    this.client = client;
    this.upstreams = upstreams;
  }

  WebhookHandler.LeasedWork to(String path) {
    return webhook -> forward(webhook, path);
  }

  private void forward(Webhook webhook, String path) throws InterruptedException {
    Upstream upstream =
        upstreams
            .apply(path)
            .orElseThrow(() -> new IllegalStateException("no service takes " + path));
    if (!upstream.admits()) {
      throw new JobException.Snooze("the circuit of the service is open", upstream.openTime());
    }
    Result result;
    try {
      result = send(request(webhook, upstream.settings(), path));
    } catch (InterruptedException | RuntimeException | Error e) {
      upstream.released(); // A half-open circuit admits one call: it must not be lost.
      throw e;
    }
    if (result.isFailed()) {
      upstream.failed(result.getFailure());
      throw new IllegalStateException("the service did not answer", result.getFailure());
    }
    int status = result.getResponse().getStatus();
    upstream.answered(status);
    requireTaken(status);
  }

  private static void requireTaken(int status) {
    if (REFUSALS.contains(status)) {
      throw new JobException.GiveUp("the service refused it with status " + status);
    }
    if (status < OK || status >= REDIRECT) {
      throw new IllegalStateException("the service answered with status " + status);
    }
  }

  private Request request(Webhook webhook, UpstreamSettings service, String path) {
    return client
        .newRequest(service.target(path, ""))
        .method(HttpMethod.POST)
        .timeout(service.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .body(new BytesRequestContent("application/json", webhook.data()))
        .headers(headers -> describe(headers, webhook));
  }

  private static void describe(HttpFields.Mutable headers, Webhook webhook) {
    headers.put("Idempotency-Key", URLEncoder.encode(webhook.id(), UTF_8));
    headers.put(UpstreamHeaders.TENANT, webhook.tenant());
    headers.put(UpstreamHeaders.FENCE, Long.toString(webhook.fence()));
    headers.put(UpstreamHeaders.ATTEMPT, Integer.toString(webhook.attempt()));
    headers.put(TYPE, URLEncoder.encode(webhook.type(), UTF_8));
    headers.put(ACCOUNT, URLEncoder.encode(webhook.account(), UTF_8));
  }

  /** Sends a request; its answer's body is read and not kept. */
  private static Result send(Request request) throws InterruptedException {
    CompletableFuture<Result> end = new CompletableFuture<>();
    request.send(end::complete);
    try {
      return end.get();
    } catch (InterruptedException e) {
      var unused = request.abort(e);
      throw e;
    } catch (ExecutionException e) {
      throw new AssertionError("a result says how a request failed", e);
    }
  }
}
