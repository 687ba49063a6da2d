package dev.once.effects;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** An HTTP server whose requests go wrong as a test says. */
final class TestHttpServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Handler handler;
  private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
  private volatile Supplier<Fault> otherFaults = () -> Fault.NONE;

  /** Answers a request. */
  interface Handler {
    Response handle(Request request);
  }

  record Request(
      String method,
      String path,
      Map<String, String> query,
      Map<String, String> headers,
      String body) {
    /** Returns a header by its name in lower case. */
    Optional<String> header(String name) {
      return Optional.ofNullable(headers.get(name));
    }
  }

  record Response(int status, Map<String, String> headers, String body) {
    static Response of(int status) {
      return new Response(status, Map.of(), "");
    }
  }

  /** What goes wrong with a request. */
  interface Fault {
    Fault NONE = Handler::handle;

    /** The connection ends before the request is handled. */
    Fault LOST_REQUEST = (handler, request) -> null;

    /** The request is handled, and the connection ends before the answer. */
    Fault LOST_ANSWER =
        (handler, request) -> {
          var unused = handler.handle(request);
          return null;
        };

    /** Returns the answer; null to end the connection without one. */
    @org.jspecify.annotations.Nullable
    Response handle(Handler handler, Request request) throws InterruptedException;

    /** The request is not handled, and this is the answer. */
    static Fault answer(Response response) {
      return (handler, request) -> response;
    }

    static Fault status(int status) {
      return answer(Response.of(status));
    }
  }

  /** A request that is not handled until the test releases it. */
  static final class Held implements Fault, EffectTarget.HeldCall {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch handled = new CountDownLatch(1);

    @Override
    public Response handle(Handler handler, Request request) throws InterruptedException {
      arrived.countDown();
      released.await();
      Response response = handler.handle(request);
      handled.countDown();
      return response;
    }

    @Override
    public void awaitArrival() throws InterruptedException {
      Await.latch(arrived, "the request arrived");
    }

    @Override
    public void release() throws InterruptedException {
      released.countDown();
      Await.latch(handled, "the request was handled");
    }
  }

  TestHttpServer(Handler handler) {
    this.handler = handler;
    try {
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Has a fault happen to a later request, after the faults before it. */
  void next(Fault fault) {
    faults.add(fault);
  }

  /** Has the next request wait. */
  Held holdNext() {
    Held held = new Held();
    next(held);
    return held;
  }

  /** Sets the faults of all other requests. */
  void others(Supplier<Fault> faults) {
    this.otherFaults = faults;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Request request = read(exchange);
      Fault planned = faults.poll();
      Response response = (planned == null ? otherFaults.get() : planned).handle(handler, request);
      if (response != null) {
        byte[] body = response.body.getBytes(StandardCharsets.UTF_8);
        response.headers.forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(response.status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
      }
    } catch (InterruptedException e) { // The test is over.
      Thread.currentThread().interrupt();
    }
  }

  private static Request read(HttpExchange exchange) throws IOException {
    Map<String, String> query = new LinkedHashMap<>();
    String raw = exchange.getRequestURI().getRawQuery();
    if (raw != null) {
      for (String pair : raw.split("&", -1)) {
        String[] parts = pair.split("=", 2);
        query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
      }
    }
    Map<String, String> headers = new LinkedHashMap<>();
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> headers.put(name.toLowerCase(java.util.Locale.ROOT), values.get(0)));
    return new Request(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getRawPath(),
        query,
        headers,
        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
