package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.once.Codec;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.KeyRing;
import dev.once.Once;
import dev.once.Request;
import dev.once.Sealing;
import dev.once.TenantLimitException;
import dev.once.TenantLimits;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.inbox.Inbox;
import dev.once.inbox.InboxSchema;
import dev.once.inbox.Provider;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Job;
import dev.once.jobs.JobKey;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.json.Fingerprinter;
import dev.once.spi.RecordStore;
import dev.once.testkit.Sql;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/at-rest.md. */
class AtRestTest {
  private final Request<@Nullable String> charge =
      Request.of(new Key("acme", "payments", "order-42"), Codec.text());

  @Test
  void rotatesWhileItRuns() {
    DataSource dataSource = EmbeddedPostgres.shared().newDatabase("at-rest");
    JdbcSchema.apply(dataSource);
    byte[] november = new byte[KeyRing.KEY_BYTES];
    byte[] december = new byte[KeyRing.KEY_BYTES];

    // snippet: seal
    AtomicReference<KeyRing> ring = new AtomicReference<>(KeyRing.of("2026-11", november));
    RecordStore store = JdbcRecordStore.over(dataSource, Sealing.with(ring::get));
    // end
    try (Once once = Once.over(store)) {
      once.run(charge, execution -> "receipt");
      // snippet: rotate
      ring.set(KeyRing.of("2026-12", december).and("2026-11", november));
      // end
      assertThat(once.run(charge, execution -> "other").orThrow()).isEqualTo("receipt");
    }
  }

  @Test
  void sealsJobsAndWebhooks() {
    DataSource dataSource = EmbeddedPostgres.shared().newDatabase("at-rest-jobs");
    JdbcSchema.apply(dataSource);
    JobsSchema.apply(dataSource);
    InboxSchema.apply(dataSource);
    AtomicReference<KeyRing> ring =
        new AtomicReference<>(KeyRing.of("2026-11", new byte[KeyRing.KEY_BYTES]));
    byte[] secret = new byte[32];
    Provider provider = Provider.gitHub("acme", "a secret");

    // snippet: jobs
    Fingerprinter keyed = Fingerprinter.builder().key(secret).build();
    Jobs jobs =
        Jobs.builder(dataSource)
            .sealing(Sealing.with(ring::get))
            .fingerprints(it -> keyed.start().text(it.toString()).finish())
            .build();
    Inbox inbox = Inbox.builder(dataSource, jobs).provider(provider).build();
    // end
    jobs.enqueue(Job.of(new JobKey("acme", "mail", "welcome", "ada")).withText("hello"));

    assertThat(inbox.provider("github")).isPresent();
    assertThat(
            new Sql(dataSource)
                .query("SELECT sealed_by || encode(payload, 'escape') FROM once_job"))
        .singleElement()
        .asString()
        .startsWith("2026-11")
        .doesNotContain("hello");
    jobs.close();
  }

  @Test
  void limitsTenants() {
    RecordStore store = new InMemoryRecordStore();
    // snippet: limits
    TenantLimits usual =
        TenantLimits.NONE.withMaxLiveKeys(100_000).withMaxBytes(1L << 30).withMaxInFlight(50);
    Once once =
        Once.builder(store)
            .limits(tenant -> tenant.equals("trial") ? usual.withMaxLiveKeys(1) : usual)
            .build();
    // end
    Request<@Nullable String> trial =
        Request.of(new Key("trial", "payments", "order-1"), Codec.text());
    once.run(trial, execution -> "receipt");
    once.run(charge, execution -> "receipt");

    assertThatExceptionOfType(TenantLimitException.class)
        .isThrownBy(
            () ->
                once.run(
                    Request.of(new Key("trial", "payments", "order-2"), Codec.text()),
                    execution -> "receipt"));
    assertThat(once.run(trial, execution -> "other").orThrow()).isEqualTo("receipt");
    once.close();
  }
}
