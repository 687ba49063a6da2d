package dev.once.clients.javascript;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
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

  /** Lets the server's pages store only so much. */
  protected void limitStorage(Page page, int bytes) {
    JsonObject arguments = new JsonObject();
    arguments.addProperty("origin", server.address());
    arguments.addProperty("quotaSize", bytes);
    context.newCDPSession(page).send("Storage.overrideQuotaForOrigin", arguments);
  }
}
