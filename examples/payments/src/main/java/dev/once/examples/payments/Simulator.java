package dev.once.examples.payments;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.json.JsonMapper;

/**
 * The providers, in a separate process: one of mobile money and one of messages, both as unreliable
 * as the real ones, and {@code GET /truth}, which the real ones lack.
 */
final class Simulator implements AutoCloseable {
  private static final int BACKLOG = 1024;

  private final Truth truth = new Truth();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Later later = new Later();

  /**
   * The settings of a simulator.
   *
   * @param chaos what goes wrong
   * @param shop the address for statuses of messages
   * @param secret the key of their signatures
   */
  record Settings(Chaos chaos, URI shop, String secret) {}

  /** Starts a simulator on a free port. */
  Simulator(Settings settings) throws IOException {
    Chaos chaos = settings.chaos();
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var statuses = new WhatsAppStatuses(chaos, truth, client, later, settings);
    var callbacks = new MomoCallbacks(chaos, truth, client, later);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    server.setExecutor(threads);
    server.createContext(MomoEndpoint.PATH, new MomoEndpoint(chaos, truth, callbacks, later));
    server.createContext(WhatsAppEndpoint.PATH, new WhatsAppEndpoint(chaos, truth, statuses));
    server.createContext(
        "/truth", exchange -> Exchanges.answer(exchange, 200, truth.account().json()));
    server.start();
    statuses.start();
  }

  Truth.Account truth() {
    return truth.account();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Runs until the parent process closes this process's input, or ends. */
  static void main(BufferedReader input) throws IOException {
    Settings settings = JsonMapper.shared().readValue(input.readLine(), Settings.class);
    try (Simulator simulator = new Simulator(settings)) {
      System.out.println(simulator.port());
      input.transferTo(Writer.nullWriter());
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    later.close();
  }
}
