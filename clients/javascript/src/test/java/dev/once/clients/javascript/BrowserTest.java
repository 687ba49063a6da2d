package dev.once.clients.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The queue in the tabs of a Chromium: IndexedDB, Web Locks, and a network that can be cut. */
class BrowserTest extends BrowserFixture {
  @Test
  void appliesOnceWhatTwoTabsStoreOfflineAlthoughTheSendingOneIsClosed() {
    Page first = tab();
    Page second = tab();
    assertThat(isSender(first)).isTrue();
    assertThat(isSender(second)).isFalse();
    context.setOffline(true);
    List<Object> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(first.evaluate("enqueue('first-" + i + "')"));
      ids.add(second.evaluate("enqueue('second-" + i + "')"));
    }

    first.close();
    context.setOffline(false);

    for (Object id : ids) {
      assertThat(second.evaluate("id => queue.awaitResult(id).then(it => it.kind)", id))
          .isEqualTo("done");
    }
    assertThat(server.applied).containsExactlyInAnyOrderElementsOf(names("first", "second"));
    assertThat(isSender(second)).isTrue();
  }

  @Test
  void appliesOnceWhatATabWasSendingWhenItWasClosed() throws InterruptedException {
    Page first = tab();
    Page second = tab();
    Object id = first.evaluate("enqueue('slow')");
    server.slowApplied.await();

    first.close();

    assertThat(second.evaluate("id => queue.awaitResult(id).then(it => it.kind)", id))
        .isEqualTo("replayed");
    assertThat(server.applied).containsExactly("{\"name\":\"slow\"}");
  }

  @Test
  void keepsOperationsWhenAllTabsAreClosed() {
    Page first = tab();
    context.setOffline(true);
    Object id = first.evaluate("enqueue('kept')");
    first.close();
    context.setOffline(false);

    Page later = tab();

    assertThat(later.evaluate("id => queue.awaitResult(id).then(it => it.answer.status)", id))
        .isEqualTo(201);
    assertThat(server.applied).containsExactly("{\"name\":\"kept\"}");
  }

  @Test
  void refusesADatabaseOfANewerVersionAndKeepsItsOperations() {
    Page first = tab();
    context.setOffline(true);
    first.evaluate("enqueue('kept')");
    first.evaluate(
        "queue.close().then(() => new Promise(done => {"
            + " const open = indexedDB.open('once', 99);"
            + " open.onsuccess = () => { window.newer = open.result; done(); } }))");

    Object failure =
        first.evaluate(
            "import('/lib/storage-indexeddb.js').then(it => new it.IndexedDbStorage().open())"
                + ".then(() => 'opened', it => it.name + ': ' + it.message)");

    assertThat(failure).asString().startsWith("StorageError: ").contains("newer version");
    assertThat(
            first.evaluate(
                "new Promise(done => { const rows = newer.transaction('operations')"
                    + ".objectStore('operations').count();"
                    + " rows.onsuccess = () => done(rows.result); })"))
        .isEqualTo(1);
  }

  private static List<String> names(String... tabs) {
    return List.of(tabs).stream()
        .flatMap(tab -> IntStream.range(0, 5).mapToObj(i -> "{\"name\":\"" + tab + "-" + i + "\"}"))
        .toList();
  }
}
