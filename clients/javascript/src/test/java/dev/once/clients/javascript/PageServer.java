package dev.once.clients.javascript;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves the client's files and a page that uses them, and an API that applies each key once and
 * repeats its answer.
 */
final class PageServer implements AutoCloseable {
  private static final String PAGE =
      """
      <!doctype html>
      <title>tab</title>
      <script type="module">
        import { OnceClient, OfflineQueue, Operation, RULES } from '/lib/index.js';
        import { IndexedDbStorage } from '/lib/storage-indexeddb.js';
        const isAsked = (name) => new URLSearchParams(location.search).has(name);
        const keyRing = isAsked('sealed')
          ? { current: 'k1', keys: { k1: await crypto.subtle.generateKey(
              { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']) } }
          : undefined;
        const client = new OnceClient({ rules: { ...RULES.mobile, inFlightPauseMillis: 100 } });
        const backoff = { shortestMillis: 50, firstMillis: 100, longestMillis: 200 };
        const storage = new IndexedDbStorage('once', { takeoverMillis: 800 });
        const isSender = !isAsked('writer');
        window.queue = await OfflineQueue.open({ client, storage, backoff, keyRing, isSender });
        window.enqueue = async (name) =>
          (await window.queue.enqueue(Operation.post('/things', { json: { name } }))).id;
        document.title = 'ready';
      </script>
      """;
  private static final String WORKER =
      """
      import { OnceClient, OfflineQueue, RULES } from '/lib/index.js';
      import { IndexedDbStorage } from '/lib/storage-indexeddb.js';
      async function send() {
        const client = new OnceClient({ rules: RULES.mobile });
        const queue = await OfflineQueue.open({ client, storage: new IndexedDbStorage() });
        await queue.drain();
        await queue.close();
      }
      self.addEventListener('message', (event) => event.waitUntil(send()));
      """;
  private static final String SLOW = "slow";
  private static final String LARGE = "large";
  private static final int LARGE_CHARS = 900_000;

  private final HttpServer http;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<String> keys = ConcurrentHashMap.newKeySet();

  /** The bodies that were applied. */
  final List<String> applied = new CopyOnWriteArrayList<>();

  /** Open as soon as an answer with {@code slow} in its request is being held back. */
  final CountDownLatch slowApplied = new CountDownLatch(1);

  final CountDownLatch slowAnswers = new CountDownLatch(1);

  PageServer() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(threads);
    http.createContext("/", it -> answer(it, 200, "text/html", PAGE));
    http.createContext("/empty", it -> answer(it, 200, "text/html", "<!doctype html>"));
    http.createContext("/worker.js", it -> answer(it, 200, "text/javascript", WORKER));
    http.createContext("/lib/", this::file);
    http.createContext("/things", this::apply);
    http.start();
  }

  /** Returns an address that browsers trust like one by https. */
  String address() {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/";
  }

  private void file(HttpExchange exchange) throws IOException {
    Path name = Path.of(exchange.getRequestURI().getPath()).getFileName();
    Path file = Node.CLIENT.resolve("lib").resolve(name);
    answer(exchange, 200, "text/javascript", Files.readString(file));
  }

  private void apply(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    boolean isFirst = keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
    if (isFirst) {
      applied.add(body);
    } else {
      exchange.getResponseHeaders().set("Idempotency-Replayed", "true");
    }
    if (isFirst && body.contains(SLOW)) {
      slowApplied.countDown();
      await(slowAnswers);
    }
    String json = body.contains(LARGE) ? "\"" + "x".repeat(LARGE_CHARS) + "\"" : "{}";
    answer(exchange, 201, "application/json", json);
  }

  private static void answer(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().putAll(Map.of("Content-Type", List.of(type)));
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    slowAnswers.countDown();
    http.stop(0);
    threads.shutdownNow();
  }
}
