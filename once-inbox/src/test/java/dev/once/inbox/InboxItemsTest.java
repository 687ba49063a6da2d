package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.jobs.LetterQuery;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators see of items that were received. */
@SuppressWarnings("try") // Workers work until they are closed.
class InboxItemsTest {
  private static final String PREFIX = WhatsApp.PHONE + "/message/";
  private static final ItemQuery ALL = ItemQuery.of("acme", "whatsapp");

  private final InboxDatabase database = new InboxDatabase("inbox_items");
  private final Inbox inbox = database.inbox(WhatsApp.PROVIDER);
  private final InboxItems items = inbox.items();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void showsWhatBecameOfEachItem() throws Exception {
    receive("wamid.good");
    receive("wamid.bad");
    work();
    receive("wamid.new");

    assertThat(inbox.providersOf("acme")).containsExactly("whatsapp");
    assertThat(inbox.providersOf("zeta")).isEmpty();
    assertThat(texts(ALL))
        .containsExactly("wamid.bad dead", "wamid.good processed", "wamid.new ready");
    assertThat(texts(ALL.inState(ItemState.DEAD))).containsExactly("wamid.bad dead");
    assertThat(texts(ALL.inState(ItemState.READY))).containsExactly("wamid.new ready");
    assertThat(texts(ALL.inState(ItemState.PROCESSED))).containsExactly("wamid.good processed");
    assertThat(texts(ALL.inState(ItemState.WAITING))).isEmpty();
    assertThat(texts(ItemQuery.of("zeta", "whatsapp"))).isEmpty();
    assertThat(texts(ItemQuery.of("acme", "stripe"))).isEmpty();
  }

  @Test
  void findsOneItemWithItsJobAndWhyItDied() throws Exception {
    receive("wamid.bad");
    work();

    ItemView item = items.find("acme", "whatsapp", PREFIX + "wamid.bad").orElseThrow();

    assertThat(item.state()).isEqualTo(ItemState.DEAD);
    assertThat(item.attempt()).isEqualTo(1);
    assertThat(item.reason()).hasValueSatisfying(it -> assertThat(it).contains("no good"));
    assertThat(database.jobs().deadLetters().list(LetterQuery.of("acme")))
        .singleElement()
        .satisfies(it -> assertThat(item.job()).hasValue(it.id()));
    assertThat(items.find("zeta", "whatsapp", PREFIX + "wamid.bad")).isEmpty();
    assertThat(items.find("acme", "whatsapp", "wamid.none")).isEmpty();
    assertThat(item.toString()).doesNotContain("wamid");
  }

  @Test
  void saysThatAnItemWasDiscardedAndLaterThatItIsRecorded() throws Exception {
    receive("wamid.bad");
    work();
    long job =
        items.find("acme", "whatsapp", PREFIX + "wamid.bad").orElseThrow().job().orElseThrow();

    database.jobs().deadLetters().discard("acme", List.of(job), "ann");
    assertThat(texts(ALL)).containsExactly("wamid.bad discarded");

    database.sql().execute("TRUNCATE once_job_done");
    assertThat(texts(ALL)).containsExactly("wamid.bad recorded");
  }

  @Test
  void findsTheJobOfAnItemWithALongId() throws Exception {
    receive("wamid." + "x".repeat(200));

    assertThat(items.list(ALL).items())
        .extracting(ItemView::state)
        .containsExactly(ItemState.READY);
  }

  @Test
  void listsConflictsApart() {
    receive("wamid.1");
    inbox.receive(
        "whatsapp",
        WhatsApp.messages("\"messages\":[" + WhatsApp.message("wamid.1", "other") + "]"));

    assertThat(items.list(ALL).items()).hasSize(1);
    assertThat(items.list(ALL.inState(ItemState.CONFLICT)).items())
        .singleElement()
        .satisfies(it -> assertThat(it.id()).startsWith(PREFIX + "wamid.1@"));
  }

  @Test
  void readsPageAfterPageInEveryOrder() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      receive("wamid.bad" + i);
      ids.add(PREFIX + "wamid.bad" + i);
    }
    assertThat(allPages(ALL.withLimit(3))).containsExactlyElementsOf(ids);
    assertThat(allPages(ALL.inState(ItemState.READY).withLimit(3))).containsExactlyElementsOf(ids);

    work();

    assertThat(allPages(ALL.inState(ItemState.DEAD).withLimit(3)))
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThatThrownBy(() -> items.list(ALL.inState(ItemState.DEAD).after("nonsense")))
        .hasMessage("after must be next of the page before");
    assertThatThrownBy(() -> items.list(ALL.inState(ItemState.READY).after("nonsense")))
        .hasMessage("after must be next of the page before");
  }

  @Test
  void looksUpEachJobInTheIndexOfKeys() throws SQLException {
    database
        .sql()
        .execute(
            """
            INSERT INTO once_job (tenant, queue, type, key, state, fingerprint, priority, checked,
              run_at, enqueued_at, correlation, payload)
            SELECT 'acme', 'webhook.whatsapp', 'webhook', 'webhook:' || n || '@0', 'ready', 'none:',
              0, true, now(), now(), '', '' FROM generate_series(1, 30000) n
            """);
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      List<String> starts = List.of("webhook:7", "confirmed:7", "webhook:77777");

      assertThat(ItemJobsStatement.execute(connection, "acme", "webhook.whatsapp", starts))
          .containsOnlyKeys("webhook:7");
      String sql =
          "SELECT coalesce(idx_tup_fetch, 0) + seq_tup_read FROM pg_stat_xact_user_tables"
              + " WHERE relname = 'once_job'";
      assertThat(Long.parseLong(Sql.query(connection, sql).get(0))).isLessThan(20);
    }
  }

  private List<String> allPages(ItemQuery query) {
    List<String> ids = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      ItemPage page = items.list(next.map(query::after).orElse(query));
      page.items().forEach(it -> ids.add(it.id()));
      next = page.next();
    } while (next.isPresent());
    return ids;
  }

  private void receive(String id) {
    WebhookResponse response =
        inbox.receive(
            "whatsapp", WhatsApp.messages("\"messages\":[" + WhatsApp.message(id, "hello") + "]"));
    assertThat(response.status()).isEqualTo(200);
  }

  /** Processes what was received; items whose id has "bad" in it die. */
  private void work() throws Exception {
    WebhookHandler handler =
        WebhookHandler.transactional(
                (webhook, connection) -> {
                  if (webhook.id().contains("bad")) {
                    throw new IllegalStateException("no good");
                  }
                })
            .withRetries(RetryPolicy.DEFAULT.withAttempts(1));
    try (Workers workers =
        inbox
            .process(
                Workers.over(database.jobs()).pollInterval(Duration.ofMillis(50)),
                "whatsapp",
                handler)
            .start()) {
      database.awaitIdle();
    }
  }

  private List<String> texts(ItemQuery query) {
    return items.list(query).items().stream()
        .map(it -> it.id().replace(PREFIX, "") + " " + it.state().word())
        .toList();
  }
}
