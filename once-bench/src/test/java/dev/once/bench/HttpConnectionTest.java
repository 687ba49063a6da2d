package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpConnectionTest {
  private static final HttpRequests REQUESTS = new HttpRequests("token");

  /** Larger than what is read at a time. */
  private static final int BODY_BYTES = 100_000;

  private static final long IN_CHUNKS = 0;

  private HttpServer server;
  private HttpConnection connection;

  @BeforeEach
  void connect() throws IOException {
    InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    server = HttpServer.create(new InetSocketAddress(here, 0), 0);
    server.createContext("/length", it -> answer(it, BODY_BYTES));
    server.createContext("/chunks", it -> answer(it, IN_CHUNKS));
    server.createContext("/key", HttpConnectionTest::answerKey);
    server.start();
    connection = new HttpConnection(server.getAddress().getPort());
  }

  @AfterEach
  void disconnect() throws IOException {
    connection.close();
    server.stop(0);
  }

  @Test
  void readsAnswersOneAfterTheOther() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(connection.exchange(REQUESTS.get("/length")).body()).hasSize(BODY_BYTES);
      assertThat(connection.exchange(REQUESTS.get("/chunks")).body()).hasSize(BODY_BYTES);
    }
  }

  @Test
  void putsEachKeyIntoItsPlace() throws Exception {
    KeyedRequest request = KeyedRequest.post(REQUESTS, "/key", "{}");
    String first = Sample.newKey();
    String second = Sample.newKey();

    HttpReply reply = connection.exchange(request.with(first));

    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.header("used-key")).contains(first);
    assertThat(connection.exchange(request.with(second)).header("used-key")).contains(second);
  }

  @Test
  void failsWhenTheServiceIsGone() throws Exception {
    connection.exchange(REQUESTS.get("/length")); // It closes connections that it has seen.
    server.stop(0);

    assertThatThrownBy(() -> connection.exchange(REQUESTS.get("/length")))
        .isInstanceOf(IOException.class);
  }

  private static void answer(HttpExchange exchange, long length) throws IOException {
    exchange.sendResponseHeaders(200, length);
    exchange.getResponseBody().write(new byte[BODY_BYTES]);
    exchange.close();
  }

  private static void answerKey(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    String key = String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
    exchange.getResponseHeaders().add("Used-Key", key);
    exchange.sendResponseHeaders(201, 2);
    exchange.getResponseBody().write(new byte[2]);
    exchange.close();
  }
}
