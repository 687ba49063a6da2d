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
      assertThat(connection.exchange(get("/length")).body()).hasSize(BODY_BYTES);
      assertThat(connection.exchange(get("/chunks")).body()).hasSize(BODY_BYTES);
    }
  }

  @Test
  void readsStatusAndHeaders() throws Exception {
    HttpConnection.Reply reply = connection.exchange(get("/length"));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.headers()).containsEntry("content-length", Integer.toString(BODY_BYTES));
    assertThatThrownBy(() -> reply.require(201)).hasMessageContaining("must answer 201, got 200");
  }

  @Test
  void failsWhenTheServiceIsGone() throws Exception {
    connection.exchange(get("/length")); // It closes connections that it has seen.
    server.stop(0);

    assertThatThrownBy(() -> connection.exchange(get("/length"))).isInstanceOf(IOException.class);
  }

  private static void answer(HttpExchange exchange, long length) throws IOException {
    exchange.sendResponseHeaders(200, length);
    exchange.getResponseBody().write(new byte[BODY_BYTES]);
    exchange.close();
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  }
}
