package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A load in which one request in ten is a retry. {@code -Donce.load.requests} sets its size (CI
 * sends 10,000), and {@code -Donce.load.seed} chooses the retries.
 */
class RetryLoadTest {
  private static final int REQUESTS = Integer.getInteger("once.load.requests", 3_000);
  private static final long SEED = Long.getLong("once.load.seed", 7);
  private static final int CLIENTS = 16;
  private static final double RETRIES = 0.1;

  /** A node of its own, so that its metrics are those of this load. */
  private final PlanningServer server = PlanningServer.shared().another(Map.of());

  private final Api api = server.planner();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void everyRetryIsAHitAndEveryKeyOneEffect() throws Exception {
    List<Future<Tally>> clients = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(SEED + i);
        int share = REQUESTS / CLIENTS + (i < REQUESTS % CLIENTS ? 1 : 0);
        clients.add(threads.submit(() -> send(share, random)));
      }
      Tally all = new Tally(0, 0);
      for (Future<Tally> client : clients) {
        all = all.plus(client.get());
      }

      assertThat((double) all.hits() / REQUESTS).as("hit rate").isBetween(0.09, 0.11);
      assertThat(hitRate()).isEqualTo((double) all.hits() / REQUESTS);
      assertThat(all.keys() + all.hits()).isEqualTo(REQUESTS);
      assertThat(server.count("organization", api)).isEqualTo(all.keys());
      assertThat(server.count("audit_event", api)).isEqualTo(all.keys());
      assertThat(server.count("once_record", api)).isEqualTo(all.keys());
    } finally {
      threads.shutdownNow();
    }
  }

  private double hitRate() {
    return server.bean(MeterRegistry.class).get("idempotency.cache_hit_rate").gauge().value();
  }

  private Tally send(int requests, Random random) {
    List<Write> written = new ArrayList<>();
    int hits = 0;
    for (int i = 0; i < requests; i++) {
      boolean isRetry = !written.isEmpty() && random.nextDouble() < RETRIES;
      Write write =
          isRetry ? written.get(random.nextInt(written.size())) : new Write(Api.randomId(), i);
      Reply reply = api.post("/v1/organizations", write.body(), Api.KEY, write.key()).expect(201);
      boolean isHit = reply.header("Idempotency-Replayed").equals("true");
      assertThat(isHit).isEqualTo(isRetry);
      if (isHit) {
        hits++;
      } else {
        written.add(write);
      }
    }
    return new Tally(written.size(), hits);
  }

  /** One operation of a client. */
  private record Write(String key, int number) {
    String body() {
      return "{\"name\":\"Harbour " + number + "\"}";
    }
  }

  /** The numbers of new keys and of replays. */
  private record Tally(int keys, int hits) {
    Tally plus(Tally other) {
      return new Tally(keys + other.keys, hits + other.hits);
    }
  }
}
