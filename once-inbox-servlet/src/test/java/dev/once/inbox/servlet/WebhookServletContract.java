package dev.once.inbox.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.StoreException;
import dev.once.inbox.Delivery;
import dev.once.inbox.InboxEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.Scanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The behaviour that a provider sees over HTTP, the same in every container. */
abstract class WebhookServletContract {
  private static final String JSON = "application/json";
  private static final int THREE_MEBIBYTES = 3 << 20;

  private final RecordingReceiver receiver = new RecordingReceiver();
  private final HttpClient client = HttpClient.newHttpClient();
  private WebhookServer server;

  abstract WebhookServer start(WebhookServlet servlet) throws Exception;

  @BeforeEach
  void start() throws Exception {
    server = start(new WebhookServlet(receiver));
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
    receiver.close();
  }

  @Test
  void takesADeliveryByteForByte() throws Exception {
    String text = "{\"text\":\"héllo 😀\"}";

    HttpResponse<String> response = send("github", SampleDeliveries.gitHub("d-1", JSON, text));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEmpty();
    assertThat(receiver.bodies).containsExactly(text);
    assertThat(receiver.keys())
        .hasSize(2)
        .contains("d-1")
        .anyMatch(it -> it.startsWith("content/"));
  }

  @Test
  void takesAFormByteForByte() throws Exception {
    String form = "payload=" + URLEncoder.encode("{\"a\":\"é\"}", UTF_8);
    Delivery delivery = SampleDeliveries.gitHub("d-1", "application/x-www-form-urlencoded", form);

    assertThat(send("github", delivery).statusCode()).isEqualTo(200);
    assertThat(receiver.bodies).containsExactly(form);
    assertThat(receiver.keys())
        .hasSize(2)
        .contains("d-1")
        .anyMatch(it -> it.startsWith("content/"));
  }

  @Test
  void answersTheChallenge() throws Exception {
    HttpResponse<String> response =
        get("whatsapp?hub.mode=subscribe&hub.challenge=115%2082&hub.verify_token=verify-me");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("115 82");
    assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
    assertThat(get("whatsapp?hub.mode=subscribe&hub.challenge=1").statusCode()).isEqualTo(403);
    assertThat(get("whatsapp?hub.mode").statusCode()).isEqualTo(403);
  }

  @Test
  void findsTheReferenceBelowTheToken() throws Exception {
    Delivery callback = SampleDeliveries.momo("{\"status\":\"SUCCESSFUL\"}");

    assertThat(send("momo/" + RecordingReceiver.TOKEN + "/r-1", callback).statusCode())
        .isEqualTo(200);
    assertThat(receiver.keys()).containsExactly("r-1/SUCCESSFUL");
  }

  @Test
  void hidesWhatNeedsATokenFromThoseWithoutIt() throws Exception {
    Delivery callback = SampleDeliveries.momo("{\"status\":\"SUCCESSFUL\"}");
    String nothing = send("nothing/r-1", callback).body();

    assertThat(nothing).contains("webhook.unknown_provider");
    assertThat(send("momo/r-1", callback).body()).isEqualTo(nothing);
    assertThat(get("momo").body()).isEqualTo(nothing);
    assertThat(head("PUT", "momo?a=%zz", "\r\n")).startsWith("HTTP/1.1 404");
    assertThat(get("").statusCode()).isEqualTo(404);
  }

  @Test
  void refusesWhatIsNotSigned() throws Exception {
    HttpResponse<String> response = send("github", SampleDeliveries.post(JSON, "{}"));

    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
    assertThat(response.body()).contains("\"code\":\"webhook.signature_missing\"");
    assertThat(receiver.keys()).isEmpty();
  }

  @Test
  void saysWhichMethodsThereAre() throws Exception {
    HttpResponse<String> response = get("github");

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).contains("POST");
  }

  @Test
  void letsTheListenerHearOfEveryRefusal() throws Exception {
    assertThat(send("nobody", SampleDeliveries.post(JSON, "{}")).statusCode()).isEqualTo(404);
    assertThat(get("github").statusCode()).isEqualTo(405);
    assertThat(send("whatsapp", SampleDeliveries.post("text/plain", "{}")).statusCode())
        .isEqualTo(415);
    assertThat(send("whatsapp", SampleDeliveries.post(JSON, "{}")).statusCode()).isEqualTo(401);

    assertThat(receiver.events)
        .containsExactly(
            new InboxEvent.Refused("unknown", 404),
            new InboxEvent.Refused("github", 405),
            new InboxEvent.Refused("whatsapp", 415),
            new InboxEvent.Refused("whatsapp", 401));
  }

  @Test
  void takesThreeMebibytes() throws Exception {
    String text = "x".repeat(THREE_MEBIBYTES - 500);
    Delivery delivery = SampleDeliveries.whatsApp("wamid.A", text);

    assertThat(send("whatsapp", delivery).statusCode()).isEqualTo(200);
    assertThat(receiver.keys()).hasSize(1);
  }

  @Test
  void refusesABodyThatIsAnnouncedAsTooLargeWithoutReadingIt() throws Exception {
    String answer =
        head("POST", "whatsapp", "Content-Length: " + (THREE_MEBIBYTES + 1) + "\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 413").contains("webhook.too_large");
    assertThat(receiver.bodies).isEmpty();
  }

  @Test
  void refusesABodyThatTurnsOutTooLarge() throws Exception {
    int size = THREE_MEBIBYTES + 1;
    String chunk = Integer.toHexString(size) + "\r\n" + "x".repeat(size) + "\r\n0\r\n\r\n";

    String answer = head("POST", "whatsapp", "Transfer-Encoding: chunked\r\n\r\n" + chunk);

    assertThat(answer).startsWith("HTTP/1.1 413").contains("webhook.too_large");
  }

  @Test
  void asksToComeBackWithoutSayingWhy() throws Exception {
    Delivery delivery = SampleDeliveries.gitHub("d-1", JSON, "{}");

    for (RuntimeException failure :
        new RuntimeException[] {
          new StoreException("s3cr3t", null), new IllegalStateException("s3cr3t")
        }) {
      receiver.failure = Optional.of(failure);
      HttpResponse<String> response = send("github", delivery);

      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(response.headers().firstValue("Retry-After")).contains("5");
      assertThat(response.body()).contains("webhook.unavailable").doesNotContain("s3cr3t");
    }
  }

  private HttpResponse<String> send(String path, Delivery delivery) throws Exception {
    HttpRequest.Builder request =
        to(path).method(delivery.method(), BodyPublishers.ofByteArray(delivery.body()));
    delivery.headers().forEach(request::header);
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(to(path).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(
        URI.create("http://localhost:" + server.port() + "/webhooks/" + path));
  }

  /** Sends a request over a socket, and returns the response up to the end of the problem in it. */
  private String head(String method, String path, String rest) throws IOException {
    String request =
        "%s /webhooks/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                .formatted(method, path)
            + "Content-Type: application/json\r\n"
            + rest;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      socket.getOutputStream().flush();
      // A container may wait for the rest of the body before it closes the connection.
      return new Scanner(socket.getInputStream(), ISO_8859_1).useDelimiter("\\}").next();
    }
  }
}
