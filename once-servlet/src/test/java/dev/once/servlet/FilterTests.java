package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Once;
import dev.once.http.Caller;
import dev.once.http.Contract;
import dev.once.http.Route;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** Base class of a group of tests: a store, a filter over it, a handler, a key and clients. */
abstract class FilterTests {
  static final String PATH = "/orders";
  static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  final String key = UUID.randomUUID().toString();
  final TestStore store = new TestStore();
  final AtomicInteger runs = new AtomicInteger();
  final FilterStage stage;

  private final List<Once> engines = new ArrayList<>();

  FilterTests(FilterStage stage) {
    this.stage = stage;
  }

  @AfterEach
  void closeEngines() {
    engines.forEach(Once::close);
  }

  /** Serves requests with {@code handler}, behind a filter under {@code contract}. */
  final void serve(Contract contract, Site.Handler handler) {
    serve(filter().contract(contract), handler);
  }

  /** Serves requests with {@code handler} and counts its calls. */
  final void serve(OnceFilter.Builder filter, Site.Handler handler) {
    stage
        .site()
        .use(
            filter.build(),
            (request, response) -> {
              runs.incrementAndGet();
              handler.handle(request, response);
            });
  }

  final Site site() {
    return stage.site();
  }

  final OnceFilter.Builder filter() {
    return filter(engine());
  }

  final OnceFilter.Builder filter(Once once) {
    return OnceFilter.builder(once, store)
        .callers(request -> Optional.of(new Caller("acme", "42")))
        .routes(request -> Optional.of(Route.of(PATH, Route.Mode.LEASED)));
  }

  final Once engine() {
    return keep(Once.over(store));
  }

  /** Closes an engine after the test. */
  final Once keep(Once engine) {
    engines.add(engine);
    return engine;
  }

  final RawClient connect() throws IOException {
    return new RawClient(stage.port());
  }

  /** Returns a request head as text, including the empty line. */
  final String head(String path, String... headers) {
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n");
    head.append("Idempotency-Key: ").append(key).append("\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  final HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + stage.port() + path));
  }

  /** Returns a request with the key. */
  final HttpRequest.Builder keyed(String path) {
    return to(path).header("Idempotency-Key", key).header("Content-Type", "application/json");
  }

  final Reply post() throws Exception {
    return postTo(PATH, "{}");
  }

  final Reply postTo(String path, String body) throws Exception {
    return send(keyed(path).POST(BodyPublishers.ofString(body)));
  }

  final Future<Reply> postLater() {
    return sendLater(keyed(PATH).POST(BodyPublishers.ofString("{}")));
  }

  static Reply send(HttpRequest.Builder request) throws Exception {
    return soon(sendLater(request));
  }

  static CompletableFuture<Reply> sendLater(HttpRequest.Builder request) {
    return HTTP.sendAsync(request.build(), BodyHandlers.ofByteArray()).thenApply(Reply::new);
  }

  static <T> T soon(Future<T> future) throws Exception {
    return future.get(Gate.PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Sends the request again and asserts that it is answered with a replay of {@code first}. */
  final Reply assertReplays(Reply first) throws Exception {
    Reply second = post();
    assertReplay(second, first);
    return second;
  }

  static void assertReplay(Reply second, Reply first) {
    assertThat(second.isReplay()).as("replay of %s", first.response()).isTrue();
    assertThat(second.status()).isEqualTo(first.status());
    assertThat(second.bytes()).isEqualTo(first.bytes());
  }

  static void assertRefusal(Reply reply, int status, String code) {
    assertThat(reply.text()).contains("\"code\":\"" + code + "\"");
    assertThat(reply.status()).isEqualTo(status);
  }
}
