package dev.once.examples.planning;

import dev.once.client.Backoff;
import dev.once.client.OfflineQueue;
import dev.once.client.OnceHttpClient;
import dev.once.client.Operation;
import dev.once.client.QueueListener;
import dev.once.client.RetryRules;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * An application that creates missions through a queue, to be killed. Arguments: the file of the
 * queue, the address for missions, a token, and how many missions there should be in all. It prints
 * {@code started}, a line for each event of the queue, and {@code empty}.
 */
final class OfflineApp {
  private static final Backoff SHORT =
      new Backoff(Duration.ofMillis(1), Duration.ofMillis(20), Duration.ofMillis(200));

  private OfflineApp() {}

  public static void main(String[] arguments) throws Exception {
    int missions = Integer.parseInt(arguments[3]);
    // First: while the queue opens, it begins to send what an earlier life left in it.
    System.out.println("started");
    QueueListener listener = event -> System.out.println("event");
    try (OfflineQueue queue = open(Path.of(arguments[0]), arguments[2], listener)) {
      for (int i = queue.list().size(); i < missions; i++) {
        queue.enqueue(mission(URI.create(arguments[1]), i));
      }
      while (!queue.drain(Duration.ofSeconds(1))) {
        // It goes on until it is killed.
      }
      System.out.println("empty");
    }
  }

  static OfflineQueue open(Path file, String token, QueueListener listener) {
    OnceHttpClient client =
        OnceHttpClient.builder(
                RetryRules.mobile().toBuilder()
                    .inFlightPause(Duration.ofMillis(50))
                    .backoff(SHORT)
                    .build())
            .attemptTimeout(Duration.ofSeconds(1))
            .credentials(() -> Map.of("Authorization", "Bearer " + token))
            .build();
    return OfflineQueue.builder(file, client)
        .backoff(SHORT)
        .maxAttempts(1000)
        .listener(listener)
        .open();
  }

  static Operation mission(URI missions, int number) {
    return Operation.builder("POST", missions)
        .type("createMission")
        .json(
            """
            {"title":"Mission %d","starts_at":"2026-11-01T08:00:00Z","ends_at":"2026-11-01T12:00:00Z"}"""
                .formatted(number))
        .build();
  }
}
