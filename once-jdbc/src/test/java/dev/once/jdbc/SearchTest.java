package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordEntry;
import dev.once.spi.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators find in the table without knowing a key. */
class SearchTest {
  private static final TestDatabase DATABASE = new TestDatabase("search");
  private static final JdbcRecordStore STORE = DATABASE.store();

  @BeforeEach
  void empty() {
    DATABASE.execute("TRUNCATE once_record");
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void findsRecordsByTheirState() {
    claim(key("acme", "held"), Recovery.RERUN);
    complete(key("acme", "done"));
    claim(key("acme", "lost"), Recovery.ASK);
    STORE.reopen(claim(key("zeta", "open"), Recovery.RERUN).key());
    DATABASE.execute("UPDATE once_record SET lease_until = now() WHERE key IN ('lost', 'held')");

    assertThat(values(find(State.UNCERTAIN))).containsExactly("lost");
    assertThat(values(find(State.IN_PROGRESS))).containsExactly("held");
    assertThat(values(find(State.COMPLETED, State.OPEN))).containsExactly("done", "open");
    assertThat(values(STORE.search(RecordSearch.of("zeta")))).containsExactly("open");
    assertThat(values(STORE.search(RecordSearch.of("acme").inStates(Set.of(State.OPEN)))))
        .isEmpty();
  }

  @Test
  void leavesOutExpiredRecords() {
    complete(key("acme", "old"));
    complete(key("acme", "new"));
    assertThat(STORE.expire(key("acme", "old"))).isTrue();

    assertThat(values(STORE.search(RecordSearch.of("acme")))).containsExactly("new");
  }

  @Test
  void readsAllRecordsOnceInPages() {
    List<String> expected = new ArrayList<>();
    for (String tenant : List.of("acme", "zeta")) {
      for (int i = 0; i < 7; i++) {
        complete(key(tenant, tenant + i));
        expected.add(tenant + i);
      }
    }

    List<String> read = new ArrayList<>();
    RecordSearch search = RecordSearch.ofEveryTenant().withLimit(3);
    RecordPage page = STORE.search(search);
    read.addAll(values(page));
    while (page.next().isPresent()) {
      page = STORE.search(search.after(page.next().get()));
      read.addAll(values(page));
    }

    assertThat(read).isEqualTo(expected);
  }

  @Test
  void aPageReadsABoundedNumberOfRecordsAndSaysHowFar() throws SQLException {
    for (int i = 0; i < 9; i++) {
      complete(key("acme", "done" + i));
    }
    claim(key("acme", "held"), Recovery.RERUN);
    RecordSearch search = RecordSearch.of("acme").inStates(Set.of(State.IN_PROGRESS));

    try (Connection connection = DATABASE.dataSource().getConnection()) {
      RecordPage first = SearchStatement.execute(connection, search, 6);
      assertThat(first.entries()).isEmpty();
      assertThat(first.searched()).isEqualTo(6);
      assertThat(first.next()).contains(key("acme", "done5"));
      RecordPage second =
          SearchStatement.execute(connection, search.after(first.next().orElseThrow()), 6);
      assertThat(values(second)).containsExactly("held");
      assertThat(second.next()).isEmpty();
    }
  }

  @Test
  void aRecordThatCannotBeReadHidesNoOther() {
    complete(key("acme", "a"));
    complete(key("acme", "b"));
    complete(key("acme", "c"));
    DATABASE.execute("UPDATE once_record SET format = 99 WHERE key = 'a'");
    DATABASE.execute("UPDATE once_record SET fingerprint = '' WHERE key = 'b'");

    RecordPage page = STORE.search(RecordSearch.of("acme").withLimit(2));

    assertThat(page.entries()).isEmpty();
    assertThat(values(STORE.search(RecordSearch.of("acme").after(page.next().orElseThrow()))))
        .containsExactly("c");
  }

  @Test
  void findsTheRecordsOfOneScope() {
    complete(new Key("acme", "orders", "a"));
    complete(new Key("acme", "payments", "a"));
    complete(new Key("acme", "payments", "b"));
    complete(new Key("zeta", "payments", "c"));
    RecordSearch search = RecordSearch.of("acme").inScope("payments").withLimit(1);

    RecordPage first = STORE.search(search);
    RecordPage second = STORE.search(search.after(first.next().orElseThrow()));

    assertThat(values(first)).containsExactly("a");
    assertThat(values(second)).containsExactly("b");
    assertThat(values(STORE.search(search.after(second.next().orElseThrow())))).isEmpty();
    assertThat(values(STORE.search(search.withValue("b")))).containsExactly("b");
  }

  @Test
  void findsAKeyInEveryScope() {
    complete(new Key("acme", "orders", "k1"));
    complete(new Key("acme", "payments", "k1"));
    complete(new Key("acme", "payments", "k2"));
    complete(new Key("acme", "returns", "k1"));
    complete(new Key("zeta", "orders", "k1"));
    RecordSearch search = RecordSearch.of("acme").withValue("k1");

    RecordPage all = STORE.search(search);
    RecordPage first = STORE.search(search.withLimit(2));

    assertThat(all.entries())
        .extracting(it -> it.key().scope())
        .containsExactly("orders", "payments", "returns");
    assertThat(all.next()).isEmpty();
    assertThat(STORE.search(search.after(first.next().orElseThrow())).entries())
        .extracting(it -> it.key().scope())
        .containsExactly("returns");
    assertThat(STORE.search(RecordSearch.of("acme").withValue("k3")).entries()).isEmpty();
  }

  @Test
  void aSearchForAKeyReadsABoundedNumberOfScopesAndSaysHowFar() throws SQLException {
    for (int i = 0; i < 9; i++) {
      complete(new Key("acme", "step:" + i, i == 7 ? "wanted" : "other"));
    }
    RecordSearch search = RecordSearch.of("acme").withValue("wanted");

    try (Connection connection = DATABASE.dataSource().getConnection()) {
      RecordPage first = SearchStatement.execute(connection, search, 6);
      assertThat(first.entries()).isEmpty();
      assertThat(first.next()).contains(new Key("acme", "step:5", "wanted"));
      RecordPage second =
          SearchStatement.execute(connection, search.after(first.next().orElseThrow()), 6);
      assertThat(values(second)).containsExactly("wanted");
      assertThat(second.next()).isEmpty();
    }
  }

  @Test
  void findsRecordsByACorrelationId() {
    for (String id : List.of("r-1", "r-2", "r-12")) {
      STORE.claim(
          ClaimRequest.of(key("acme", "of-" + id), Duration.ofMinutes(1), Duration.ofHours(1))
              .withCorrelation(Headers.NONE.with("X-Request-Id", id)));
    }

    assertThat(values(STORE.search(RecordSearch.of("acme").withCorrelation("r-1"))))
        .containsExactly("of-r-1");
  }

  @Test
  void searchesNoScopeOrKeyOfEveryTenant() {
    assertThatThrownBy(() -> RecordSearch.ofEveryTenant().inScope("orders"))
        .hasMessageContaining("needs a tenant");
    assertThatThrownBy(() -> RecordSearch.ofEveryTenant().withValue("k1"))
        .hasMessageContaining("needs a tenant");
  }

  @Test
  void countsRecordsByState() {
    claim(key("acme", "held"), Recovery.RERUN);
    complete(key("acme", "done"));
    complete(key("acme", "old"));
    complete(key("zeta", "done"));
    STORE.expire(key("acme", "old"));
    DATABASE.execute("UPDATE once_record SET created_at = now() - interval '1 hour'");

    StateCounts acme = STORE.stateCounts("acme", 100);
    StateCounts all = STORE.stateCounts(100);

    assertThat(acme.counts()).containsEntry(State.COMPLETED, 1L).containsEntry(State.OPEN, 0L);
    assertThat(acme.expired()).isEqualTo(1);
    assertThat(acme.isComplete()).isTrue();
    assertThat(acme.oldestUnfinished())
        .hasValueSatisfying(
            it -> assertThat(it).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(70)));
    assertThat(all.counts()).containsEntry(State.COMPLETED, 2L);
    assertThat(all.rows()).isEqualTo(4);
  }

  @Test
  void countsNoFurtherThanItIsAllowedTo() {
    for (int i = 0; i < 5; i++) {
      complete(key("acme", "done" + i));
    }

    StateCounts counts = STORE.stateCounts(3);

    assertThat(counts.isComplete()).isFalse();
    assertThat(counts.oldestUnfinished()).isEqualTo(Optional.empty());
    assertThat(STORE.stateCounts(5).isComplete()).isTrue();
    assertThatThrownBy(() -> STORE.stateCounts(0)).hasMessageContaining("rows");
  }

  private static RecordPage find(State... states) {
    return STORE.search(RecordSearch.ofEveryTenant().inStates(Set.of(states)));
  }

  private static List<String> values(RecordPage page) {
    return page.entries().stream().map(RecordEntry::key).map(Key::value).toList();
  }

  private static Key key(String tenant, String value) {
    return new Key(tenant, "orders", value);
  }

  private static Claim.Granted claim(Key key, Recovery recovery) {
    ClaimRequest request = ClaimRequest.of(key, Duration.ofMinutes(1), Duration.ofHours(1));
    return (Claim.Granted) STORE.claim(request.withRecovery(recovery));
  }

  private static void complete(Key key) {
    Claim.Granted grant = claim(key, Recovery.RERUN);
    STORE.complete(grant, Outcome.completed(Payload.NONE), Duration.ofHours(1));
  }
}
