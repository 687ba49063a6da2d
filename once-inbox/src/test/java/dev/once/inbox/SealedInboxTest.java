package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.KeyRing;
import dev.once.Payload;
import dev.once.Sealing;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jobs.Jobs;
import dev.once.jobs.LetterQuery;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Items that are encrypted in the tables. */
@SuppressWarnings("try") // Workers work until they are closed.
class SealedInboxTest {
  private static final KeyRing FIRST = KeyRing.of("first", secret(1));
  private static final KeyRing BOTH = KeyRing.of("second", secret(2)).and("first", secret(1));
  private static final Provider KEEPING = WhatsApp.PROVIDER.withBodyKept();
  private static final String ID = WhatsApp.PHONE + "/message/wamid.1";

  private final InboxDatabase database = new InboxDatabase("sealed-inbox");
  private final Jobs sealed = jobs(Sealing.with(FIRST));
  private final Inbox inbox =
      Inbox.builder(database.dataSource(), sealed).provider(KEEPING).clock(() -> Sent.NOW).build();
  private final List<String> received = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    sealed.close();
    database.close();
  }

  @Test
  void leavesNothingOfAnItemInTheClear() {
    inbox.receive("whatsapp", message("hello there"));
    inbox.receive("whatsapp", message("something else"));

    assertThat(database.query("SELECT t::text || encode(payload, 'escape') FROM once_job t"))
        .hasSize(1)
        .noneMatch(it -> it.contains("hello"));
    assertThat(database.query("SELECT t::text || encode(body, 'escape') FROM once_record t"))
        .as("the item, and its contradiction")
        .hasSize(2)
        .noneMatch(it -> it.contains("hello") || it.contains("something"));
  }

  @Test
  void recordsRedactedItemsAsOutcomesAreSealed() {
    inbox.receive("whatsapp", message("hello there"));

    Key key = new Key("acme", "webhook:whatsapp", ID);
    JdbcRecordStore records = JdbcRecordStore.over(database.dataSource(), Sealing.with(BOTH));
    Payload kept = records.find(key).orElseThrow().outcome().orElseThrow().payload();
    assertThat(new String(((Payload.Bytes) kept).toArray(), UTF_8))
        .contains("hello there")
        .doesNotContain("16505551234");
    assertThat(database.query("SELECT body_bytes FROM once_record"))
        .containsExactly(Long.toString(kept.size()));
  }

  @Test
  void acceptsADuplicateOnceAndProcessesItAfterARotation() throws Exception {
    Delivery delivery = message("hello there");
    inbox.receive("whatsapp", delivery);
    Jobs rotated = jobs(Sealing.with(BOTH));
    Inbox later =
        Inbox.builder(database.dataSource(), rotated)
            .provider(KEEPING)
            .clock(() -> Sent.NOW)
            .build();

    assertThat(later.receive("whatsapp", delivery).status()).isEqualTo(200);
    try (rotated;
        Workers workers = start(later, rotated)) {
      database.awaitIdle();
    }

    assertThat(received).singleElement().asString().contains("hello there", "16505551234");
  }

  @Test
  void aProcessWithoutTheKeyProcessesNothingAndLosesNothing() throws Exception {
    inbox.receive("whatsapp", message("hello there"));
    Inbox plain = database.inbox(KEEPING);

    try (Workers workers = start(plain, database.jobs())) {
      database.awaitRow("SELECT 1 FROM once_job WHERE state = 'waiting' AND attempt = 0");
    }
    assertThat(received).isEmpty();
    database.sql().execute("UPDATE once_job SET run_at = clock_timestamp()");
    try (Workers workers = start(inbox, sealed)) {
      database.awaitIdle();
    }

    assertThat(received).hasSize(1);
  }

  @Test
  void aDeadLetterStaysSealedAndIsProcessedWhenRetried() throws Exception {
    inbox.receive("whatsapp", message("hello there"));
    WebhookHandler fails =
        WebhookHandler.transactional(
                (webhook, connection) -> {
                  throw new IllegalStateException("no luck");
                })
            .withRetries(RetryPolicy.DEFAULT.withAttempts(1));
    try (Workers workers = inbox.process(workers(sealed), "whatsapp", fails).start()) {
      database.awaitIdle();
    }

    assertThat(
            database.query("SELECT encode(payload, 'escape') FROM once_job WHERE state = 'dead'"))
        .hasSize(1)
        .noneMatch(it -> it.contains("hello"));
    LetterQuery letters = LetterQuery.of("acme").inQueue(Inbox.queueOf(KEEPING));
    assertThat(sealed.deadLetters().retryAll(letters, "ann")).hasSize(1);
    try (Workers workers = start(inbox, sealed)) {
      database.awaitIdle();
    }
    assertThat(received).hasSize(1);
  }

  @Test
  void storesKeyedDigestsOnly() {
    Jobs keyed =
        Jobs.builder(database.dataSource())
            .fingerprints(it -> Fingerprint.sha256("a secret", it.toString()))
            .build();
    Inbox keying =
        Inbox.builder(database.dataSource(), keyed).provider(KEEPING).clock(() -> Sent.NOW).build();

    keying.receive("whatsapp", message("hello there"));
    keying.receive("whatsapp", message("hello there"));

    assertThat(database.query("SELECT fingerprint || correlation FROM once_record"))
        .singleElement()
        .asString()
        .startsWith("sha256:")
        .contains("body-fingerprint: sha256:")
        .doesNotContain("body-sha256");
    assertThat(database.query("SELECT fingerprint FROM once_job")).hasSize(1);
    keyed.close();
  }

  private Workers start(Inbox inbox, Jobs jobs) {
    WebhookHandler receiving =
        WebhookHandler.transactional((webhook, connection) -> received.add(webhook.text()));
    return inbox.process(workers(jobs), "whatsapp", receiving).start();
  }

  private static Workers.Builder workers(Jobs jobs) {
    return Workers.over(jobs).pollInterval(Duration.ofMillis(50));
  }

  private Jobs jobs(Sealing sealing) {
    return Jobs.builder(database.dataSource()).sealing(sealing).build();
  }

  private static Delivery message(String text) {
    return WhatsApp.messages("\"messages\":[" + WhatsApp.message("wamid.1", text) + "]");
  }

  private static byte[] secret(int value) {
    byte[] key = new byte[KeyRing.KEY_BYTES];
    Arrays.fill(key, (byte) value);
    return key;
  }
}
