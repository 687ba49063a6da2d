package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.KeyRing;
import dev.once.inbox.Delivery;
import dev.once.inbox.Inbox;
import dev.once.jobs.Jobs;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Jobs and webhooks that the keys in the settings encrypt in the database. */
@Timeout(60)
class SealedJobsTest {
  private static final String[] SETTINGS = {
    "once.sealing.current=now",
    "once.sealing.keys.now=" + Base64.getEncoder().encodeToString(new byte[KeyRing.KEY_BYTES]),
    "once.fingerprint-secret=0123456789abcdef0123456789abcdef"
  };

  @Test
  void sealsAJobAndItsHandlerReceivesIt() throws Exception {
    PGSimpleDataSource database = App.newDatabase();
    try (App app = App.start(JobShop.class, database, settings("once.jobs.workers=false"))) {
      app.bean(Jobs.class).enqueue(JobShop.place("umbrella-of-ada"));

      assertThat(job(database)).startsWith("now json1-hmac-sha256:").doesNotContain("{\"item\"");
    }
    try (App app = App.start(JobShop.class, database, SETTINGS)) {
      JobShop.Seen seen = app.bean(JobShop.Handlers.class).seen.poll(30, TimeUnit.SECONDS);

      assertThat(seen).isNotNull().extracting(JobShop.Seen::item).isEqualTo("umbrella-of-ada");
    }
  }

  @Test
  void sealsAWebhook() throws Exception {
    PGSimpleDataSource database = App.newDatabase();
    try (App app = App.start(WebhookShop.class, database, settings("once.jobs.workers=false"))) {
      assertThat(app.bean(Inbox.class).receive("github", delivery("candle")).status())
          .isEqualTo(200);

      assertThat(job(database)).startsWith("now json1-hmac-sha256:").doesNotContain("opened");
    }
    try (App app = App.start(WebhookShop.class, database, SETTINGS)) {
      Polling.until(() -> app.orders("candle"), orders -> orders == 1);
    }
  }

  private static String[] settings(String more) {
    return new String[] {SETTINGS[0], SETTINGS[1], SETTINGS[2], more};
  }

  /** Returns what the row of the only job reveals about its payload. */
  private static String job(PGSimpleDataSource database) {
    return JdbcClient.create(database)
        .sql("SELECT sealed_by || ' ' || fingerprint || encode(payload, 'escape') FROM once_job")
        .query(String.class)
        .single();
  }

  private static Delivery delivery(String id) throws Exception {
    byte[] body = "{\"action\":\"opened\"}".getBytes(StandardCharsets.UTF_8);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(WebhookShop.SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String signature = "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
    return new Delivery(
        "POST",
        List.of(),
        Map.of(),
        Map.of(
            "Content-Type",
            "application/json",
            "X-GitHub-Delivery",
            id,
            "X-GitHub-Event",
            "issues",
            "X-Hub-Signature-256",
            signature),
        body);
  }
}
