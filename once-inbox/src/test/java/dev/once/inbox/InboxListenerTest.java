package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InboxListenerTest {
  private final InboxDatabase database = new InboxDatabase("listener");

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void hearsOfEveryRefusalOverHttp() throws Exception {
    JettyServer server = new JettyServer(new WebhookServlet(database.inbox(WhatsApp.PROVIDER)));
    try {
      assertThat(post(server, "nobody", "application/json")).isEqualTo(404);
      assertThat(post(server, "whatsapp", "text/plain")).isEqualTo(415);
      assertThat(post(server, "whatsapp", "application/json")).isEqualTo(401);
    } finally {
      server.stop();
    }

    assertThat(database.heard(InboxEvent.Refused.class))
        .extracting(InboxEvent.Refused::status)
        .containsExactly(404, 415, 401);
  }

  @Test
  void cannotKeepADeliveryFromBeingAccepted() {
    Inbox inbox =
        Inbox.builder(database.dataSource(), database.jobs())
            .provider(WhatsApp.PROVIDER)
            .clock(() -> Sent.NOW)
            .listener(
                event -> {
                  throw new IllegalStateException("broken");
                })
            .build();

    Delivery delivery =
        WhatsApp.messages("\"messages\":[" + WhatsApp.message("wamid.1", "hello") + "]");

    assertThat(inbox.receive("whatsapp", delivery).status()).isEqualTo(200);
  }

  private static int post(JettyServer server, String provider, String type) throws Exception {
    URI uri = URI.create("http://localhost:" + server.port() + "/webhooks/" + provider);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString("{}"))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }
}
