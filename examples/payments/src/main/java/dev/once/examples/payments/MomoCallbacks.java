package dev.once.examples.payments;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Calls shops back: usually once, but also twice, never, out of order, or with a forged callback. A
 * callback that fails is not repeated.
 */
final class MomoCallbacks {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Chaos chaos;
  private final Truth truth;
  private final HttpClient client;
  private final Later later;

  MomoCallbacks(Chaos chaos, Truth truth, HttpClient client, Later later) {
    this.chaos = chaos;
    this.truth = truth;
    this.client = client;
    this.later = later;
  }

  void announce(Charge charge) {
    String order = charge.order();
    if (chaos.happens("never", order, 0.08)) {
      truth.made(Truth.Trouble.MISSING_CALLBACK);
      return;
    }
    send(charge, MomoEndpoint.SUCCESSFUL, "first");
    if (chaos.happens("twice", order, 0.30)) {
      truth.made(Truth.Trouble.DUPLICATE_CALLBACK);
      send(charge, MomoEndpoint.SUCCESSFUL, "second");
    }
    if (chaos.happens("order", order, 0.10)) {
      truth.made(Truth.Trouble.CALLBACK_OUT_OF_ORDER);
      send(charge, "PENDING", "late");
    }
    if (chaos.happens("forged", order, 0.02)) {
      truth.made(Truth.Trouble.FORGED_CALLBACK);
      send(charge, MomoEndpoint.FAILED, "forged");
    }
  }

  /** Reports that a customer has declined. */
  void announceRefusal(Charge charge) {
    if (chaos.happens("never", charge.order(), 0.08)) {
      truth.made(Truth.Trouble.MISSING_CALLBACK);
      return;
    }
    send(charge, MomoEndpoint.FAILED, "first");
  }

  private void send(Charge charge, String status, String which) {
    String id = charge.order() + " " + which;
    String method = chaos.happens("method", id, 0.5) ? "PUT" : "POST";
    String body = charge.json(status, chaos.happens("reference", charge.order(), 0.5));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(charge.callbackUrl()))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    later.run(chaos.millis("calls back", id, 0, 500), () -> send(request));
  }

  private void send(HttpRequest request) {
    try {
      client.send(request, BodyHandlers.discarding());
    } catch (IOException e) {
      truth.made(Truth.Trouble.MISSING_CALLBACK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
