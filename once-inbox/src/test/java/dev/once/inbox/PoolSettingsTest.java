package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.testkit.ConcurrentCalls;
import dev.once.testkit.Sql;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.AutoSave;

/** With every setting of an application's pool, a recorded item is also enqueued. */
class PoolSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "true,  TRANSACTION_READ_COMMITTED,  NEVER",
    "false, TRANSACTION_READ_COMMITTED,  NEVER",
    "false, TRANSACTION_REPEATABLE_READ, NEVER",
    "false, TRANSACTION_SERIALIZABLE,    NEVER",
    "true,  TRANSACTION_SERIALIZABLE,    NEVER",
    "false, TRANSACTION_READ_COMMITTED,  CONSERVATIVE",
    "false, TRANSACTION_READ_COMMITTED,  ALWAYS"
  })
  void enqueuesWhatItRemembers(boolean autoCommit, String isolation, AutoSave autosave)
      throws Exception {
    PGSimpleDataSource plain = EmbeddedPostgres.shared().newDatabase("pool");
    JdbcSchema.apply(plain);
    JobsSchema.apply(plain);
    InboxSchema.apply(plain);
    plain.setAutosave(autosave);
    HikariConfig config = new HikariConfig();
    config.setDataSource(plain);
    config.setAutoCommit(autoCommit);
    config.setTransactionIsolation(isolation);
    config.setMinimumIdle(0);

    try (HikariDataSource pool = new HikariDataSource(config);
        Jobs jobs = Jobs.over(pool)) {
      Inbox inbox =
          Inbox.builder(pool, jobs).provider(WhatsApp.PROVIDER).clock(() -> Sent.NOW).build();
      List<Integer> statuses =
          ConcurrentCalls.together(
              IntStream.range(0, 24)
                  .mapToObj(i -> ConcurrentCalls.times(1, () -> receive(inbox, i / 4 * 3)).get(0))
                  .toList());

      assertThat(statuses).containsOnly(200);
    }

    Sql sql = new Sql(plain);
    assertThat(sql.query("SELECT count(*) FROM once_record")).containsExactly("35");
    assertThat(sql.query("SELECT count(*) FROM once_job")).containsExactly("35");
  }

  /** Returns twenty messages, most of which other deliveries contain, too. */
  private static int receive(Inbox inbox, int from) {
    String messages =
        IntStream.range(from, from + 20)
            .mapToObj(i -> WhatsApp.message("wamid." + i, "hello"))
            .collect(Collectors.joining(",", "\"messages\":[", "]"));
    return inbox.receive("whatsapp", WhatsApp.messages(messages)).status();
  }
}
