package dev.once.clients.javascript;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import dev.once.console.Chromium;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A Chromium, and for each test a profile without data and a server of its own. */
abstract class BrowserFixture {
  private static final int LIMIT_MILLIS = 20_000;

  private static Playwright playwright;
  private static Browser browser;

  protected PageServer server;
  protected BrowserContext context;

  @BeforeAll
  static void launch() throws IOException, InterruptedException {
    playwright = Playwright.create(new Playwright.CreateOptions().setEnv(Node.NO_DOWNLOAD));
    browser = playwright.chromium().launch(Chromium.options());
  }

  @AfterAll
  static void quit() {
    browser.close();
    playwright.close();
  }

  @BeforeEach
  void start() throws IOException {
    server = new PageServer();
    context = browser.newContext();
    context.setDefaultTimeout(LIMIT_MILLIS);
  }

  @AfterEach
  void stop() {
    context.close();
    server.close();
  }

  /** Opens a tab, and returns when its queue is open. */
  protected Page tab() {
    Page page = context.newPage();
    page.navigate(server.address());
    page.waitForFunction("document.title === 'ready'");
    page.waitForFunction(
        "navigator.locks.query().then(it => it.held.length + it.pending.length > 0)");
    return page;
  }

  protected static boolean isSender(Page page) {
    return Boolean.TRUE.equals(page.evaluate("queue.status().then(it => it.isSender)"));
  }

  /** Returns what an operation came to: {@code done}, {@code replayed}, ... */
  protected static Object kind(Page page, Object id) {
    return page.evaluate("id => queue.awaitResult(id).then(it => it.kind)", id);
  }

  /** Refuses larger bodies and answers as a browser does whose quota is used up. */
  protected static void limitStorage(Page page, int bytes) {
    page.evaluate(
        """
        (bytes) => {
          const { put } = IDBObjectStore.prototype;
          IDBObjectStore.prototype.put = function (value, ...key) {
            const answer = value.result?.answer?.body.length ?? 0;
            if ((value.body?.length ?? 0) + answer > bytes) {
              throw new DOMException('no room', 'QuotaExceededError');
            }
            return put.call(this, value, ...key);
          };
        }
        """,
        bytes);
  }
}
