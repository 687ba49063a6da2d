package dev.once.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server whose answers are planned, and that remembers what it received. */
final class TestServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Reply> replies = new ConcurrentLinkedQueue<>();
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private volatile Reply otherwise = Reply.of(201);

  TestServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  record Received(String method, String path, String key, String body, String token) {}

  /** An answer; status 0 closes the connection without one. */
  record Reply(int status, Map<String, String> headers, String body, long delayMillis) {
    static Reply of(int status) {
      return new Reply(status, Map.of(), "", 0);
    }

    /** The request is received, and its answer is lost. */
    static Reply lost() {
      return of(0);
    }

    static Reply code(int status, String code) {
      return new Reply(status, Map.of(), "{\"error\":{\"code\":\"" + code + "\"}}", 0);
    }

    Reply header(String name, String value) {
      return new Reply(status, Map.of(name, value), body, delayMillis);
    }

    Reply body(String text) {
      return new Reply(status, headers, text, delayMillis);
    }

    Reply after(long millis) {
      return new Reply(status, headers, body, millis);
    }
  }

  String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  TestServer replies(Reply... next) {
    replies.addAll(List.of(next));
    return this;
  }

  /** Sets the answer to requests for which none is planned. */
  TestServer otherwise(Reply reply) {
    otherwise = reply;
    return this;
  }

  List<Received> received() {
    return received;
  }

  List<String> keys() {
    return received.stream().map(Received::key).distinct().toList();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    received.add(
        new Received(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            header(exchange, "Idempotency-Key"),
            body,
            header(exchange, "Authorization")));
    Reply planned = replies.poll();
    Reply reply = planned == null ? otherwise : planned;
    try {
      Thread.sleep(reply.delayMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (reply.status == 0) {
      exchange.close();
      return;
    }
    reply.headers.forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
    byte[] bytes = reply.body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
