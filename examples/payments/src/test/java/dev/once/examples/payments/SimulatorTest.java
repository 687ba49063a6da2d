package dev.once.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.once.examples.payments.Truth.Trouble;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The provider makes faults and counts what really happened. */
class SimulatorTest {
  private static final int ORDERS = 150;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Queue<String> heard = new ConcurrentLinkedQueue<>();
  private final HttpServer shop = listen();
  private final Simulator simulator = start(new Chaos(17, 1));

  @AfterEach
  void close() {
    simulator.close();
    shop.stop(0);
  }

  @Test
  void chargesOncePerReferenceAndLosesSomeReplies() throws Exception {
    for (int i = 0; i < ORDERS; i++) {
      payUntilAccepted(UUID.randomUUID(), "o-" + i);
    }

    Polling.until(() -> simulator.truth().charges().size() == ORDERS);
    assertThat(simulator.truth().charges().values()).containsOnly(1);
    assertThat(simulator.truth().troubles())
        .containsKeys(Trouble.LOST_REPLY, Trouble.LOST_REQUEST, Trouble.REFERENCE_REUSED);
  }

  @Test
  void chargesTwiceForANewReference() throws Exception {
    payUntilAccepted(UUID.randomUUID(), "o-1");
    payUntilAccepted(UUID.randomUUID(), "o-1");

    Polling.until(() -> simulator.truth().charges().equals(Map.of("o-1", 2)));
  }

  @Test
  void tellsWhatBecameOfMessagesInSignedDeliveries() throws Exception {
    for (int i = 0; i < 20; i++) {
      send("o-" + i);
    }

    Polling.until(() -> heard.stream().filter(it -> it.contains("\"read\"")).count() > 3);
    assertThat(heard).allMatch(it -> it.startsWith("sha256="));
    assertThat(String.join("", heard)).contains("\"biz_opaque_callback_data\":\"o-7\"");
  }

  private void payUntilAccepted(UUID reference, String order) throws InterruptedException {
    int status = pay(reference, order);
    while (status != 202 && status != 409) {
      status = pay(reference, order);
    }
  }

  private int pay(UUID reference, String order) throws InterruptedException {
    String body =
        """
        {"amount":"5","currency":"EUR","externalId":"%s","payer":{"partyId":"250788123456"}}
        """
            .formatted(order);
    return post(
        MomoEndpoint.PATH, body, "X-Reference-Id", reference.toString(), "X-Callback-Url", url());
  }

  private int send(String order) throws InterruptedException {
    String body = "{\"to\":\"250788123456\",\"biz_opaque_callback_data\":\"%s\"}".formatted(order);
    return post(WhatsAppEndpoint.PATH + "106540352242922/messages", body, "Accept", "*/*");
  }

  private int post(String path, String body, String... headers) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + simulator.port() + path))
            .headers(headers)
            .timeout(Duration.ofSeconds(1))
            .POST(BodyPublishers.ofString(body))
            .build();
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException lost) {
      return 0;
    }
  }

  private String url() {
    return "http://127.0.0.1:" + shop.getAddress().getPort() + "/";
  }

  private Simulator start(Chaos chaos) {
    try {
      return new Simulator(new Simulator.Settings(chaos, URI.create(url()), "secret"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private HttpServer listen() {
    try {
      var local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      HttpServer server = HttpServer.create(local, 0);
      server.createContext(
          "/",
          exchange -> {
            String signature = Exchanges.header(exchange, "X-Hub-Signature-256");
            heard.add(signature + Exchanges.body(exchange));
            Exchanges.answer(exchange, 200, "");
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
