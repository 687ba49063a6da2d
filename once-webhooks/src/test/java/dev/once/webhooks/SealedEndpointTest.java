package dev.once.webhooks;

import static dev.once.webhooks.WebhookDatabase.SECRET;
import static dev.once.webhooks.WebhookDatabase.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.KeyRing;
import dev.once.Sealing;
import dev.once.jobs.Jobs;
import dev.once.jobs.Workers;
import java.net.URI;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Endpoints and messages that are encrypted in the tables. */
@SuppressWarnings("try") // Workers work until they are closed.
class SealedEndpointTest {
  private final WebhookDatabase database = new WebhookDatabase("webhook_sealed");
  private final Receiver receiver = new Receiver();
  private final Jobs sealed = database.sealed(Sealing.with(ring()));
  private final WebhookSender sender = database.sender(sealed).build();

  @AfterEach
  void close() {
    receiver.close();
    sealed.close();
    database.close();
  }

  @Test
  void leavesNothingInTheClear() {
    put();

    assertThat(
            database
                .sql()
                .query("SELECT e::text || encode(target, 'escape') FROM once_webhook_endpoint e"))
        .singleElement()
        .asString()
        .doesNotContain("tOkEn", "127.0.0.1", SECRET.substring(6));
    assertThat(sender.endpoints().list(TENANT).toString()).doesNotContain("tOkEn");
    assertThat(sender.endpoints().find(TENANT, "billing").flatMap(EndpointView::url))
        .map(URI::getPath)
        .contains("/tOkEn");
  }

  @Test
  void aMessageWaitsForAProcessThatHasTheKey() {
    put();
    WebhookSender plain = database.sender().build();
    plain.send(WebhookMessage.of(TENANT, "msg_1", "invoice.paid", "{}"));

    try (Workers workers = database.start(plain)) {
      database.awaitSnoozed("billing", "msg_1");
    }
    assertThat(receiver.requests()).isEmpty();
    assertThat(plain.endpoints().list(TENANT).get(0).url()).isEmpty();
    assertThat(database.job("billing", "msg_1").orElseThrow().attempt()).isZero();
    database.sql().execute("UPDATE once_job SET run_at = clock_timestamp()");
    try (Workers workers = database.start(sender, sealed)) {
      database.awaitIdle();
    }

    assertThat(receiver.idsAt("tOkEn")).containsExactly("msg_1");
  }

  @Test
  void theTargetOfOneEndpointDoesNotOpenForAnother() {
    put();
    sender.endpoints().put(WebhookEndpoint.of(TENANT, "other", receiver.url("other"), SECRET));
    database
        .sql()
        .execute(
            """
            UPDATE once_webhook_endpoint SET target = (
              SELECT target FROM once_webhook_endpoint WHERE id = 'billing') WHERE id = 'other'
            """);

    assertThat(sender.endpoints().find(TENANT, "other").orElseThrow().url()).isEmpty();
  }

  private void put() {
    sender.endpoints().put(WebhookEndpoint.of(TENANT, "billing", receiver.url("tOkEn"), SECRET));
  }

  private static KeyRing ring() {
    byte[] key = new byte[KeyRing.KEY_BYTES];
    Arrays.fill(key, (byte) 1);
    return KeyRing.of("first", key);
  }
}
