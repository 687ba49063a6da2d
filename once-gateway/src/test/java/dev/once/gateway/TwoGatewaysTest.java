package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two gateways on one store, one of which is killed under load and started again. For longer runs:
 * {@code -Donce.gateway.seconds=600}.
 */
@Timeout(1800)
class TwoGatewaysTest {
  private static final int SECONDS = Integer.getInteger("once.gateway.seconds", 3);
  private static final int CLIENTS = 16;
  private static final int SERVICE_MILLIS = 300;

  /** Long enough for every lease to end and every key to be answered. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  private final EmbeddedPostgres postgres = EmbeddedPostgres.shared();
  private final String database = database();
  private final Map<String, List<Long>> fences = new ConcurrentHashMap<>();
  private final Map<Integer, AtomicInteger> executing = new ConcurrentHashMap<>();
  private final AtomicInteger writes = new AtomicInteger();

  @TempDir private Path folder;

  private String database() {
    String url = String.valueOf(postgres.newDatabase("two_gateways").getURL());
    return url.replaceAll("\\?.*", "");
  }

  /** Remembers the fences that arrive for each key, and answers with the number of the write. */
  private void write(String request, ScriptedService.Connection to) throws Exception {
    AtomicInteger running =
        running(Integer.parseInt(header(request, "X-Forwarded-Host").substring(10)));
    running.incrementAndGet();
    TimeUnit.MILLISECONDS.sleep(SERVICE_MILLIS);
    running.decrementAndGet();
    String key = header(request, "Idempotency-Key");
    long fence = Long.parseLong(header(request, "Once-Fence"));
    List<Long> seen = fences.computeIfAbsent(key, it -> new ArrayList<>());
    synchronized (seen) {
      seen.add(fence);
    }
    to.ok("write " + writes.incrementAndGet());
  }

  /** Returns how many requests of the gateway at a port the service is executing. */
  private AtomicInteger running(int port) {
    return executing.computeIfAbsent(port, it -> new AtomicInteger());
  }

  private static String header(String request, String name) {
    return request.replaceAll("(?is).*\r\n" + name + ": ([^\r]*).*", "$1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rerun", "ask"})
  void giveEveryClientOneAnswerWhileOneOfThemIsKilled(String recovery) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (ScriptedService service = new ScriptedService(this::write)) {
      Path file = folder.resolve("gateway.yaml");
      Files.writeString(file, settings(service, recovery));
      try (GatewayProcess steady = start(file)) {
        List<GatewayProcess> killed = new ArrayList<>(List.of(start(file)));
        Set<Integer> ports = ConcurrentHashMap.newKeySet();
        ports.addAll(List.of(steady.port(), killed.get(0).port()));
        AtomicBoolean done = new AtomicBoolean();
        List<Future<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          int client = i;
          clients.add(threads.submit(() -> load(client, ports, done, recovery)));
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        int interrupted = 0;
        while (System.nanoTime() < end || interrupted == 0) {
          GatewayProcess victim = killed.get(killed.size() - 1);
          while (running(victim.port()).get() < 2) { // The kill must find requests at the service.
            TimeUnit.MILLISECONDS.sleep(1);
          }
          victim.kill();
          interrupted += running(victim.port()).get();
          ports.remove(victim.port());
          GatewayProcess next = start(file);
          killed.add(next);
          ports.add(next.port());
        }
        done.set(true);
        int answered = 0;
        for (Future<Integer> client : clients) {
          answered += client.get(PATIENCE.toSeconds() + SECONDS, TimeUnit.SECONDS);
        }
        killed.forEach(GatewayProcess::close);

        assertThat(answered).isPositive();
        assertThat(fences.values()).allSatisfy(TwoGatewaysTest::assertRising);
        if (recovery.equals("ask")) {
          assertThat(fences.values()).allSatisfy(it -> assertThat(it).hasSize(1));
          assertThat(answered).as("keys with an answer").isLessThan(fences.size());
        } else {
          assertThat(fences.values()).as("repeated").anySatisfy(it -> assertThat(it).hasSize(2));
          assertThat(answered).as("keys with an answer").isEqualTo(fences.size());
        }
        System.out.printf(
            "recovery %s: %d answers, %d writes of %d keys, %d kills%n",
            recovery, answered, writes.get(), fences.size(), killed.size() - 1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private String settings(ScriptedService service, String recovery) {
    return """
    listen: {port: 0}
    admin: {port: 0}
    upstream: {url: '%s'}
    store: {url: '%s', user: '%s'}
    recovery: %s
    lease: 1s
    """
        .formatted(service.url(), database, postgres.user(), recovery);
  }

  private GatewayProcess start(Path file) throws Exception {
    return GatewayProcess.start(
        Map.of("DATABASE_PASSWORD", postgres.password()),
        "--config",
        file.toString(),
        "--folder",
        folder.toString());
  }

  private static void assertRising(List<Long> fences) {
    assertThat(fences).isSorted().doesNotHaveDuplicates();
  }

  /** Sends writes, each until it is answered, and once more; returns how many had an answer. */
  private static int load(int client, Set<Integer> ports, AtomicBoolean done, String recovery)
      throws Exception {
    int answered = 0;
    for (int i = 0; !done.get(); i++) {
      String key = recovery + "-" + client + "-" + i;
      HttpResponse<String> answer = untilAnswered(key, ports);
      if (answer.statusCode() == 200) {
        assertThat(untilAnswered(key, ports).body()).isEqualTo(answer.body());
        answered++;
      } else {
        assertThat(recovery).isEqualTo("ask");
      }
    }
    return answered;
  }

  /** Repeats a write until it is answered, or known to be uncertain. */
  private static HttpResponse<String> untilAnswered(String key, Set<Integer> ports)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      for (int port : inTurn(key, ports)) {
        try {
          HttpResponse<String> answer = CLIENT.send(request(key, port), BodyHandlers.ofString());
          if (answer.statusCode() == 200 || answer.body().contains("idempotency.uncertain")) {
            return answer;
          }
        } catch (java.io.IOException e) {
          // This gateway was killed; the other one is asked.
        }
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    throw new AssertionError("no answer for " + key);
  }

  /** Begins with each gateway equally often. */
  private static List<Integer> inTurn(String key, Set<Integer> ports) {
    List<Integer> turn = new ArrayList<>(ports);
    Collections.rotate(turn, key.hashCode() & 1);
    return turn;
  }

  private static HttpRequest request(String key, int port) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
        .timeout(Duration.ofSeconds(10))
        .header("Idempotency-Key", key)
        .POST(BodyPublishers.ofString("{}"))
        .build();
  }
}
