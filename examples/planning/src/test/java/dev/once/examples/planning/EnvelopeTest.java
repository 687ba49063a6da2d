package dev.once.examples.planning;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.once.client.OnceHttpClient;
import dev.once.client.Operation;
import dev.once.client.RetryRules;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client sends {@code {"meta": …, "payload": …}}, the same bytes and key each time. */
class EnvelopeTest {
  /** What came, with its key. */
  private record Received(String key, String contentType, String body) {}

  private final List<Received> received = new CopyOnWriteArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          received.add(
              new Received(
                  exchange.getRequestHeaders().getFirst(Api.KEY),
                  exchange.getRequestHeaders().getFirst("Content-Type"),
                  new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
          exchange.sendResponseHeaders(201, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void isTheBodyOfEverySendingAndNamesNoKey() {
    OnceHttpClient client = OnceHttpClient.of(RetryRules.named("mobile"));
    Operation operation =
        Operation.post("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/users")
            .type("createUser")
            .envelope("{\"type\":\"createUser\",\"version\":1}", "{\"name\":\"Zoë\"}")
            .build();

    client.send(operation);
    client.send(operation);

    assertThat(operation.id()).isNotEqualTo(operation.key());
    assertThat(received)
        .hasSize(2)
        .containsOnly(
            new Received(
                operation.key(),
                "application/json",
                "{\"meta\":{\"type\":\"createUser\",\"version\":1},\"payload\":{\"name\":\"Zoë\"}}"));
  }
}
