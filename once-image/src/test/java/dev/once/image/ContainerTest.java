package dev.once.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.once.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The gateway as its image starts it: with nothing of this machine but its network. */
@Timeout(300)
class ContainerTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final String API_KEY = "a key of this test alone";

  @TempDir private static Path folder;

  private static Container container;

  private final AtomicInteger orders = new AtomicInteger();
  private HttpServer service;

  @BeforeAll
  static void unpack() throws Exception {
    assumeTrue(System.getProperty("os.name", "").equals("Linux"), "images are made on Linux");
    Container.requirePermission(folder.resolve("permission"));
    container = Container.of(BuiltImage.shared(), folder.resolve("root"));
  }

  @BeforeEach
  void startService() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/orders",
        exchange -> {
          byte[] order = ("order " + orders.incrementAndGet()).getBytes(UTF_8);
          exchange.sendResponseHeaders(201, order.length);
          exchange.getResponseBody().write(order);
          exchange.close();
        });
    service.start();
  }

  @AfterEach
  void stopService() {
    service.stop(0);
  }

  @Test
  void repeatsAnAnswerAndKnowsWhetherItIsHealthy() throws Exception {
    try (EmbeddedPostgres database = EmbeddedPostgres.builder().start()) {
      settings(database.url("postgres"), database.user());
      container.put("run/secrets/database-password", database.password() + "\n");
      try (Container.Running gateway =
          container.start(
              Map.of("DATABASE_PASSWORD_FILE", "/run/secrets/database-password"),
              "--port",
              "0",
              "--admin-port",
              "0")) {
        String started = gateway.await("^(\\{.*gateway\\.started.*)");
        int port = Integer.parseInt(port(started, "address"));
        String adminPort = port(started, "admin");

        assertThat(post(port, "tea-1", "").statusCode()).isEqualTo(401);
        HttpResponse<String> first = post(port, "tea-1", API_KEY);
        HttpResponse<String> retry = post(port, "tea-1", API_KEY);

        assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
        assertThat(retry.statusCode()).isEqualTo(201);
        assertThat(retry.body()).isEqualTo(first.body()).isEqualTo("order 1");
        assertThat(retry.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(orders).hasValue(1);
        assertThat(gateway.await("^\\{.*(audit\\.replay)")).isEqualTo("audit.replay");
        if (Container.isRunByRoot()) {
          assertThat(gateway.users()).containsOnly("65532");
        }

        assertThat(container.health("--admin-port", adminPort)).isZero();
        database.stop();
        assertThat(container.health("--admin-port", adminPort)).isEqualTo(1);
        assertThat(get("http://127.0.0.1:" + adminPort + "/once/alive")).isEqualTo(204);
        gateway.terminate();
        assertThat(gateway.exitCode()).isEqualTo(143);
        assertThat(container.health("--admin-port", adminPort)).isEqualTo(1);
      }
    }
  }

  @Test
  void refusesToStartWithoutAStore() throws Exception {
    container.put("etc/once/gateway.yaml", "upstream: {url: 'http://127.0.0.1:1'}\n");

    try (Container.Running gateway = container.start(Map.of())) {
      assertThat(gateway.await("once: (.*)")).contains("name yours, as in store:");
      assertThat(gateway.exitCode()).isEqualTo(2);
    }
  }

  private void settings(String store, String user) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(API_KEY.getBytes(UTF_8));
    container.put(
        "etc/once/gateway.yaml",
        """
        listen: {host: 0.0.0.0}
        admin: {host: 0.0.0.0}
        store: {url: '%s', user: %s}
        upstream: {url: 'http://127.0.0.1:%d'}
        authentication:
          apiKeys:
            - {sha256: %s, tenant: acme, caller: shop}
        """
            .formatted(
                store, user, service.getAddress().getPort(), HexFormat.of().formatHex(hash)));
  }

  /** Returns the port of an address in a line of the log, in which JSON may escape slashes. */
  private static String port(String line, String name) {
    return line.replaceAll(".*\"" + name + "\":\"http:[^\"]*0\\.0\\.0\\.0:(\\d+)\".*", "$1");
  }

  private static HttpResponse<String> post(int port, String key, String apiKey)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"item\":\"tea\"}"));
    if (!apiKey.isEmpty()) {
      request.header("X-API-Key", apiKey);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static int get(String address) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
    return CLIENT.send(request, BodyHandlers.discarding()).statusCode();
  }
}
