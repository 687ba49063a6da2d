package dev.once.clients.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import org.junit.jupiter.api.Test;

/** What browsers do to tabs and their data, and what becomes of the operations. */
class BrowserFaultsTest extends BrowserFixture {
  private static final String COUNT_ROWS =
      "new Promise(done => { const open = indexedDB.open('once'); open.onsuccess = () => {"
          + " const rows = open.result.transaction('operations').objectStore('operations').count();"
          + " rows.onsuccess = () => { open.result.close(); done(rows.result); }; }; })";

  @Test
  void anotherTabSendsWhenTheSendingOneStandsStill() throws InterruptedException {
    Page first = tab();
    Page second = tab();
    Object id = first.evaluate("enqueue('slow')");
    server.slowApplied.await();

    first.evaluate(
        "setTimeout(() => { for (const end = Date.now() + 3000; Date.now() < end; ); })");

    assertThat(kind(second, id)).isEqualTo("replayed");
    assertThat(isSender(second)).isTrue();
    server.slowAnswers.countDown();
    first.waitForFunction("queue.status().then(it => !it.isSender)");
    Object later = first.evaluate("enqueue('later')");
    assertThat(kind(first, later)).isEqualTo("done");
    assertThat(kind(first, id)).isEqualTo("replayed");
    assertThat(server.applied).containsExactly("{\"name\":\"slow\"}", "{\"name\":\"later\"}");
  }

  @Test
  void anOldTabMakesWayForANewVersionOfTheDatabase() {
    Page old = tab();
    context.setOffline(true);
    old.evaluate("enqueue('kept')");
    Page fresh = context.newPage();
    context.setOffline(false);
    fresh.navigate(server.address() + "empty");

    fresh.evaluate(
        "new Promise((done, failed) => { const open = indexedDB.open('once', 99);"
            + " open.onsuccess = () => { open.result.close(); done(); };"
            + " open.onerror = () => failed(open.error); })");

    assertThat(old.evaluate("enqueue('refused').catch(it => it.name + ': ' + it.message)"))
        .asString()
        .startsWith("StorageError: ")
        .contains("newer version");
    old.waitForFunction("queue.status().then(() => false, () => true)");
    old.waitForFunction("navigator.locks.query().then(it => it.held.length === 0)");
    assertThat(fresh.evaluate(COUNT_ROWS)).isEqualTo(1);
  }

  @Test
  void openingDoesNotWaitForEverForATabThatKeepsTheDatabase() {
    Page blocking = context.newPage();
    blocking.navigate(server.address() + "empty");
    blocking.evaluate(
        "new Promise(done => { const open = indexedDB.open('other', 1);"
            + " open.onsuccess = () => { window.kept = open.result; done(); }; })"
            + ".then(() => { indexedDB.deleteDatabase('other'); })");

    Object failure =
        blocking.evaluate(
            "import('/lib/storage-indexeddb.js')"
                + ".then(it => new it.IndexedDbStorage('other', { openMillis: 200 }).open())"
                + ".then(() => 'opened', it => it.name + ': ' + it.message)");

    assertThat(failure).asString().startsWith("StorageError: ").contains("close that tab");
  }

  @Test
  void aFullQuotaRefusesAnOperationAndKeepsThoseThatWereStored() {
    Page page = tab();
    context.setOffline(true);
    Object kept = page.evaluate("enqueue('kept')");
    limitStorage(page, 1_000_000);

    Object failure =
        page.evaluate(
            "enqueue('x'.repeat(2000000)).then(() => 'stored', it => it.name + ' ' + it.isFull)");

    assertThat(failure).isEqualTo("StorageError true");
    assertThat(page.evaluate("queue.counts().then(it => it.pending + it.sending)")).isEqualTo(1);
    context.setOffline(false);
    assertThat(kind(page, kept)).isEqualTo("done");
  }

  @Test
  void anAnswerForWhichThereIsNoRoomDoesNotMakeAnOperationUnending() {
    Page page = tab();
    limitStorage(page, 300_000);

    Object id = page.evaluate("enqueue('large')");

    assertThat(kind(page, id)).isIn("done", "replayed");
    assertThat(server.applied).hasSize(1);
  }

  @Test
  void aBrowserWithoutIndexedDbIsTold() {
    context.addInitScript("Object.defineProperty(globalThis, 'indexedDB', { value: undefined })");
    Page page = context.newPage();
    page.navigate(server.address() + "empty");

    Object failure =
        page.evaluate(
            "import('/lib/storage-indexeddb.js').then(it => new it.IndexedDbStorage().open())"
                + ".then(() => 'opened', it => it.name + ': ' + it.message)");

    assertThat(failure).asString().startsWith("StorageError: ").contains("IndexedDB");
  }

  @Test
  void aBrowserThatCallsItselfOfflineIsNotBelieved() {
    context.addInitScript(
        "Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })");
    Page page = tab();

    Object first = page.evaluate("enqueue('first')");
    Object second = page.evaluate("enqueue('second')");

    assertThat(kind(page, first)).isEqualTo("done");
    assertThat(kind(page, second)).isEqualTo("done");
  }

  @Test
  void whatAPageWasSendingWhenItWasLeftIsSentByTheNext() throws InterruptedException {
    Page page = tab();
    Object id = page.evaluate("enqueue('slow')");
    server.slowApplied.await();

    page.navigate(server.address());
    page.waitForFunction("document.title === 'ready'");

    assertThat(kind(page, id)).isEqualTo("replayed");
    assertThat(server.applied).hasSize(1);
  }

  @Test
  void aServiceWorkerSendsWhatAPageHasStored() {
    Page page = context.newPage();
    page.navigate(server.address() + "?writer");
    page.waitForFunction("document.title === 'ready'");
    Object id = page.evaluate("enqueue('by worker')");

    page.evaluate(
        "navigator.serviceWorker.register('/worker.js', { type: 'module' })"
            + ".then(() => navigator.serviceWorker.ready)"
            + ".then(it => it.active.postMessage('send'))");

    assertThat(kind(page, id)).isEqualTo("done");
    assertThat(isSender(page)).isFalse();
    assertThat(server.applied).containsExactly("{\"name\":\"by worker\"}");
  }

  @Test
  void aSealedQueueHasNoRequestInTheDatabase() {
    Page page = context.newPage();
    page.navigate(server.address() + "?sealed");
    page.waitForFunction("document.title === 'ready'");

    Object id = page.evaluate("enqueue('secret')");

    assertThat(kind(page, id)).isEqualTo("done");
    assertThat(server.applied).containsExactly("{\"name\":\"secret\"}");
    Object stored =
        page.evaluate(
            "new Promise(done => { const open = indexedDB.open('once'); open.onsuccess = () => {"
                + " const rows = open.result.transaction('operations').objectStore('operations')"
                + ".getAll(); rows.onsuccess = () => done(rows.result.map(it =>"
                + " new TextDecoder().decode(it.body) + JSON.stringify(it)).join()); }; })");
    assertThat(stored).asString().contains("\"isSealed\":true").doesNotContain("secret");
  }
}
