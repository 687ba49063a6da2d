package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.Recovery;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordIndex;
import dev.once.spi.RecordQuery;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * What every {@link RecordIndex} promises. For stores that implement it, beside {@link
 * RecordStoreContract}: {@code class MyRecordStoreTest extends RecordStoreContract implements
 * RecordIndexContract}.
 */
public interface RecordIndexContract extends StoreUnderTest {
  private RecordIndex index() {
    return (RecordIndex) store();
  }

  @Test
  default void listsWhatAFindWouldShow() {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);

    RecordView view = ask.viewIn(store());
    assertThat(index().list(queryFor(ask.key())))
        .containsExactly(
            new RecordEntry(
                view.key(),
                State.COMPLETED,
                view.fingerprint(),
                view.attempts(),
                view.createdAt(),
                view.expiresAt()));
  }

  @Test
  default void listsNothingOfAnotherTenantOrScope() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    Key key = ask.key();

    assertThat(index().list(RecordQuery.of(key.tenant() + "x", key.scope()))).isEmpty();
    assertThat(index().list(RecordQuery.of(key.tenant(), key.scope() + "x"))).isEmpty();
  }

  /** The trap: UTF-16 has another order than UTF-8, and a locale has its own. */
  @Test
  default void listsInTheOrderOfBytes() {
    String tenant = "tenant-" + UUID.randomUUID();
    List<String> values = List.of("B", "a", "\u00e9", "\uff5e", "\ud83d\ude00");
    values.forEach(it -> TestClaim.forKey(new Key(tenant, "scope", it)).grantedBy(store()));

    assertThat(index().list(RecordQuery.of(tenant, "scope")))
        .extracting(it -> it.key().value())
        .containsExactlyElementsOf(values);
  }

  @Test
  default void listsPageAfterPage() {
    String tenant = "tenant-" + UUID.randomUUID();
    for (int i = 0; i < 7; i++) {
      TestClaim.forKey(new Key(tenant, "scope", "key-" + i)).grantedBy(store());
    }

    List<String> seen = new ArrayList<>();
    RecordQuery query = RecordQuery.of(tenant, "scope").withLimit(3);
    List<RecordEntry> page = index().list(query);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(3);
      page.forEach(it -> seen.add(it.key().value()));
      page = index().list(query.after(page.get(page.size() - 1)));
    }

    assertThat(seen).containsExactly("key-0", "key-1", "key-2", "key-3", "key-4", "key-5", "key-6");
  }

  @Test
  default void listsNoRecordThatHasExpired() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());

    elapse(TestClaim.LIFETIME);

    assertThat(index().list(queryFor(ask.key()))).isEmpty();
  }

  @Test
  default void listsAVanishedOwnersRecordAsUncertain() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());

    elapse(TestClaim.LEASE);

    assertThat(index().list(queryFor(ask.key())))
        .extracting(RecordEntry::state)
        .containsExactly(State.UNCERTAIN);
  }

  private static RecordQuery queryFor(Key key) {
    return RecordQuery.of(key.tenant(), key.scope());
  }
}
