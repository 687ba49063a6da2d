package dev.once.examples.payments;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Customers place one order each, and retry with the same key until the shop has accepted it. Some
 * send an accepted order once more.
 */
final class Customers implements AutoCloseable {
  private static final int AT_A_TIME = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final long PAUSE_MILLIS = 150;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
  private final AtomicInteger next = new AtomicInteger();
  private final URI orders;
  private final int count;
  private final Chaos chaos;

  Customers(URI shop, int count, long seed) {
    this.orders = shop.resolve("/orders");
    this.count = count;
    this.chaos = new Chaos(seed, 1);
  }

  void start() {
    for (int i = 0; i < AT_A_TIME; i++) {
      threads.execute(this::placeOrders);
    }
  }

  private void placeOrders() {
    try {
      for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
        place(i);
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void place(int customer) throws InterruptedException {
    while (!isTaken(request(customer))) {
      Thread.sleep(PAUSE_MILLIS);
    }
    if (chaos.happens("impatient", "customer " + customer, 0.10)) {
      isTaken(request(customer));
    }
  }

  private boolean isTaken(HttpRequest request) throws InterruptedException {
    try {
      HttpResponse<Void> answer = client.send(request, BodyHandlers.discarding());
      return answer.statusCode() == 201;
    } catch (IOException e) {
      return false;
    }
  }

  private HttpRequest request(int customer) {
    String body =
        "{\"amount\":\"%d.50\",\"currency\":\"EUR\",\"phone\":\"0788 %06d\"}"
            .formatted(10 + customer % 90, customer);
    return HttpRequest.newBuilder(orders)
        .timeout(PATIENCE)
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", "customer-" + customer)
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
