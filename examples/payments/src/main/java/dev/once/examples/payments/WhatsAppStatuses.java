package dev.once.examples.payments;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reports the statuses of messages to a shop: many in one signed delivery, in any order, some of
 * them again in a later one. A delivery is repeated until the shop answers 200.
 */
final class WhatsAppStatuses {
  /** A message on its way to a phone. */
  record Message(String sender, String wamid, String to, String order) {}

  private record Status(Message message, String status) {}

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final long PAUSE_MILLIS = 150;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int MOST_TOGETHER = 1000;

  private final Chaos chaos;
  private final Truth truth;
  private final HttpClient client;
  private final Later later;
  private final Simulator.Settings settings;
  private final Random order;
  private final List<Status> due = new ArrayList<>();

  WhatsAppStatuses(
      Chaos chaos, Truth truth, HttpClient client, Later later, Simulator.Settings settings) {
    this.chaos = chaos;
    this.truth = truth;
    this.client = client;
    this.later = later;
    this.settings = settings;
    this.order = new Random(chaos.seed());
  }

  void start() {
    later.run(PAUSE_MILLIS, this::deliver);
  }

  void follow(Message message) {
    for (String status : List.of("sent", "delivered", "read")) {
      add(message, status, status, 600);
      if (chaos.happens("again", message.order() + status, 0.15)) {
        truth.made(Truth.Trouble.DUPLICATE_STATUS);
        add(message, status, "again " + status, 1500);
      }
    }
  }

  private void add(Message message, String status, String which, long mostMillis) {
    long wait = chaos.millis(which, message.order(), 0, mostMillis);
    later.run(wait, () -> makeDue(List.of(new Status(message, status))));
  }

  private void makeDue(List<Status> more) {
    synchronized (due) {
      due.addAll(more);
    }
  }

  /**
   * Sends the due statuses and schedules the next delivery; statuses of a failed one are due again.
   */
  private void deliver() {
    List<Status> batch = take();
    if (!batch.isEmpty() && !isTaken(request(json(batch)))) {
      makeDue(batch);
    }
    start();
  }

  private boolean isTaken(HttpRequest delivery) {
    try {
      return client.send(delivery, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private List<Status> take() {
    synchronized (due) {
      Collections.shuffle(due, order);
      List<Status> head = due.subList(0, Math.min(due.size(), MOST_TOGETHER));
      List<Status> batch = List.copyOf(head);
      head.clear();
      return batch;
    }
  }

  private HttpRequest request(String body) {
    return HttpRequest.newBuilder(settings.shop())
        .timeout(PATIENCE)
        .header("Content-Type", "application/json")
        .header("X-Hub-Signature-256", "sha256=" + HubSigner.sign(settings.secret(), body))
        .POST(BodyPublishers.ofString(body, StandardCharsets.UTF_8))
        .build();
  }

  private static String json(List<Status> batch) {
    List<Object> changes = new ArrayList<>();
    for (Status it : batch) {
      Map<String, Object> status =
          Map.of(
              "id", it.message.wamid,
              "status", it.status,
              "timestamp", String.valueOf(Instant.now().getEpochSecond()),
              "recipient_id", it.message.to,
              "biz_opaque_callback_data", it.message.order);
      Map<String, Object> value =
          Map.of(
              "messaging_product", "whatsapp",
              "metadata", Map.of("phone_number_id", it.message.sender),
              "statuses", List.of(status));
      changes.add(Map.of("field", "messages", "value", value));
    }
    return JSON.writeValueAsString(
        Map.of(
            "object",
            "whatsapp_business_account",
            "entry",
            List.of(Map.of("id", "102290129340398", "changes", changes))));
  }
}
