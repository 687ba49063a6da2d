package dev.once.webhooks;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real HTTP server that receives webhooks, and answers as a test says. */
final class Receiver implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Request> requests = new ArrayList<>();
  private volatile Script script = request -> Answer.status(204);

  /** Decides what a request is answered. */
  interface Script {
    Answer answer(Request request) throws Exception;
  }

  /**
   * An answer.
   *
   * @param hang opens after a part of the body
   */
  record Answer(int status, Map<String, String> headers, long bodyBytes, CountDownLatch hang) {
    static Answer status(int status) {
      return new Answer(status, Map.of(), 0, new CountDownLatch(0));
    }

    Answer with(String header, String value) {
      return new Answer(status, Map.of(header, value), bodyBytes, hang);
    }

    Answer withBody(long bytes) {
      return new Answer(status, headers, bytes, hang);
    }

    Answer thenHang(CountDownLatch end) {
      return new Answer(status, headers, bodyBytes, end);
    }
  }

  /** A request as it arrived. */
  record Request(String path, Headers headers, String body) {
    String header(String name) {
      return Objects.requireNonNull(headers.getFirst(name), name);
    }

    String id() {
      return header("webhook-id");
    }
  }

  Receiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI url(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + path);
  }

  Receiver answers(Script script) {
    this.script = script;
    return this;
  }

  synchronized List<Request> requests() {
    return List.copyOf(requests);
  }

  /** Returns the ids of the messages that one path received, in order. */
  List<String> idsAt(String path) {
    return requests().stream().filter(it -> it.path().equals("/" + path)).map(Request::id).toList();
  }

  /** Waits until there are as many requests, and returns them. */
  List<Request> await(int count) {
    return Polling.until(this::requests, it -> it.size() >= count);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Request request =
          new Request(
              exchange.getRequestURI().getPath(),
              exchange.getRequestHeaders(),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      synchronized (this) {
        requests.add(request);
      }
      Answer answer = script.answer(request);
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(
          answer.status(), answer.bodyBytes() == 0 ? -1 : answer.bodyBytes());
      byte[] part = new byte[8192];
      for (long left = answer.bodyBytes(); left > 0; left -= Math.min(part.length, left)) {
        exchange.getResponseBody().write(part, 0, (int) Math.min(part.length, left));
        exchange.getResponseBody().flush();
        answer.hang().await();
      }
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
