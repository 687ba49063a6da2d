package dev.once.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.once.EngineEvent;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Once;
import dev.once.Recovery;
import dev.once.events.ProcessedState;
import dev.once.jobs.Handler;
import dev.once.jobs.Job;
import dev.once.jobs.JobException;
import dev.once.jobs.JobKey;
import dev.once.jobs.LetterQuery;
import dev.once.jobs.Queue;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.spi.State;
import dev.once.steps.RunId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page, in a browser. With {@code -Donce.console.pictures=write} this test replaces the
 * pictures of the guide.
 */
class PageTest {
  private static final boolean WRITE = "write".equals(System.getProperty("once.console.pictures"));
  private static final Path PICTURES = Path.of("..", "docs", "guides", "console");
  private static final Set<String> IN_THE_GUIDE =
      Set.of(
          "live-light",
          "records-light",
          "record-dark",
          "job-light",
          "run-dark",
          "webhooks-light",
          "timeline-light");

  /** A part that is missing must not be shown as "false" or "null". */
  private static final String TEXT_OUTSIDE_OF_ELEMENTS =
      """
      () => [...document.getElementById('main').childNodes]
          .filter((it) => it.nodeType === Node.TEXT_NODE).map((it) => it.textContent).join('')
      """;

  /** Numbers what can have the focus, in the order of the page, and gives it to the first. */
  private static final String NUMBER_CONTROLS =
      """
      () => {
        const all = [...document.querySelectorAll(
            'a[href], button, input, select, textarea, summary, [tabindex="0"]')]
            .filter((it) => !it.disabled && it.checkVisibility());
        all.forEach((it, index) => { it.dataset.walk = index; });
        all[0].focus();
        return all.length;
      }
      """;

  private static final String FOCUSED =
      """
      () => {
        const it = document.activeElement;
        const style = getComputedStyle(it);
        const isSeen = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
            && it.getBoundingClientRect().width > 0;
        return it.dataset.walk + (isSeen ? ' is seen' : ' has no outline: ' + it.outerHTML);
      }
      """;

  private static final int NARROWEST = 320;
  private static final int MAX_TABS = 100;
  private static final int LIMIT_MILLIS = 20_000;
  private static final String MARKUP = "<img src=x onerror=alert(1)>";

  private static ConsoleFixture console;
  private static Playwright playwright;
  private static Browser browser;

  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final Key lost = new Key("acme", "payment_confirmation", "order-4711");
  private BrowserContext context;
  private Page page;

  @BeforeAll
  static void start() throws Exception {
    console = new ConsoleFixture("console_page");
    for (int i = 1; i <= 120; i++) {
      String key = "order-%04d".formatted(i);
      console.complete(new Key("acme", "api:POST:/v1/orders", key), "{\"order\":" + i + "}");
    }
    console.complete(new Key("acme", "api:POST:/v1/orders", "order-4711"), "{\"order\":4711}");
    console.claim(new Key("acme", "api:POST:/v1/orders", "order-4712"), Recovery.RERUN);
    console.claim(new Key("acme", "payment_confirmation", MARKUP), Recovery.RERUN);
    console.startRun(new RunId("acme", "ship-4711"));
    console.addEndpoint("acme", "shop");
    console.giveUpEvent("search", "event-4711");
    console.receive("parcels", "parcel-4711");
    console.receive("parcels", "bad-parcel-4712");
    console.processItems();
    killJobs();
    countRates();
    playwright = Playwright.create(new Playwright.CreateOptions().setEnv(Chromium.NO_DOWNLOAD));
    browser = playwright.chromium().launch(Chromium.options());
  }

  private static void killJobs() {
    RetryPolicy once = RetryPolicy.DEFAULT.withAttempts(1);
    try (Once engine = Once.over(console.store)) {
      console.jobs.enqueue(Job.of(new JobKey("acme", "mail", "receipt", "order-4711")));
      console.jobs.enqueue(
          Job.of(new JobKey("acme", "mail", "invoice", "order-4711"))
              .withText("{\"to\":\"ada\",\"token\":\"t-1\"}"));
      Workers.Builder workers =
          Workers.over(console.jobs)
              .queue(Queue.named("mail"))
              .handle(
                  "mail", "receipt", Handler.transactional((run, it) -> giveUp()).withRetries(once))
              .handle("mail", "invoice", Handler.leased(engine, run -> giveUp()).withRetries(once));
      console.workUntil(workers, () -> console.jobs.census().queue("mail").dead() == 2);
    }
  }

  private static void giveUp() {
    throw new JobException.GiveUp("the mail server refused the recipient");
  }

  private static void countRates() {
    Key key = new Key("acme", "orders", "k");
    for (int i = 0; i < 40; i++) {
      console.rates.on(new EngineEvent.Granted(key, 1, 1));
      if (i % 3 == 0) {
        console.rates.on(new EngineEvent.Replayed(key, Headers.NONE));
      }
    }
    console.rates.on(new EngineEvent.Held(key, Duration.ZERO));
  }

  @AfterAll
  static void stop() throws Exception {
    browser.close();
    playwright.close();
    console.close();
  }

  @BeforeEach
  void open() {
    console.execute(
        "DELETE FROM once_record WHERE scope = 'payment_confirmation' AND key = 'order-4711'");
    console.uncertain(lost);
    show(ColorScheme.LIGHT, false);
  }

  /**
   * Opens a tab.
   *
   * @param withoutPolicy whether the test may add a script, which the page's policy forbids
   */
  private void show(ColorScheme scheme, boolean withoutPolicy) {
    context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setColorScheme(scheme)
                .setBypassCSP(withoutPolicy)
                .setViewportSize(1100, 640));
    context.setDefaultTimeout(LIMIT_MILLIS);
    page = context.newPage();
    page.onConsoleMessage(
        it -> {
          // A refusal of the server is an answer; the browser reports it too.
          if (it.type().equals("error") && !it.text().contains("Failed to load resource")) {
            problems.add(it.text());
          }
        });
    page.onPageError(problems::add);
    page.onRequest(
        it -> {
          if (!it.url().startsWith(console.server.address())) {
            problems.add("a request to " + it.url());
          }
          if (it.url().contains("key=") || it.url().contains("order-4711")) {
            problems.add("an address with a key: " + it.url());
          }
        });
  }

  /** The browser reports everything that the policy forbids as an error. */
  @AfterEach
  void close() {
    context.close();
    assertThat(problems).as("errors, forbidden scripts and foreign requests").isEmpty();
  }

  @Test
  void asksForATokenAndSaysIfItIsWrong() {
    page.navigate(console.server.address());
    signIn("wrong-token-0000001");
    assertThat(page.getByRole(AriaRole.ALERT)).hasText("This token is not valid.");

    signIn(ConsoleFixture.OPERATOR);
    assertThat(page.getByRole(AriaRole.HEADING, named("Live"))).isVisible();
  }

  @Test
  void findsRecordsPageAfterPageAndByKey() {
    goTo("records?tenant=acme");
    Locator rows = page.locator("tbody tr");
    assertThat(rows).hasCount(50);
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("More")).click();
    assertThat(rows).hasCount(100);

    page.getByLabel("Key", new Page.GetByLabelOptions().setExact(true)).fill("order-4711");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Find")).click();

    assertThat(rows).hasCount(2);
    assertThat(rows.last()).containsText("uncertain");
  }

  @Test
  void decidesThatAnEffectHappened() {
    goTo("records?tenant=acme&state=uncertain");
    page.getByRole(AriaRole.LINK, named("order-4711")).click();
    assertThat(page.getByText("Find out whether it happened")).isVisible();
    page.getByRole(AriaRole.BUTTON, exactly("It happened")).click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    dialog.getByLabel("HTTP status").fill("201");
    dialog.getByLabel("Body").fill("{\"paid\":9007199254740993}");
    dialog
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("It happened"))
        .click();
    assertThat(dialog).isVisible(); // A reason is missing.

    dialog.getByLabel("Reason").fill("the provider says so");
    dialog.getByLabel("Reason").press("Enter");

    assertThat(dialog).isHidden();
    assertThat(page.locator("h1 .badge")).hasText("completed");
    assertThat(page.getByLabel("Body")).hasText("{\"paid\":9007199254740993}");
    assertThat(console.store.find(lost).orElseThrow().state()).isEqualTo(State.COMPLETED);
  }

  @Test
  void decidesWithTheKeyboardAloneThatAnEffectDidNotHappen() {
    goTo("record?tenant=acme&scope=payment_confirmation&key=order-4711");
    page.getByRole(AriaRole.BUTTON, exactly("It did not happen")).focus();
    page.keyboard().press("Enter");
    page.keyboard().type("nothing at the provider");
    page.keyboard().press("Enter");

    assertThat(page.locator("h1 .badge")).hasText("open");
    assertThat(console.store.find(lost).orElseThrow().state()).isEqualTo(State.OPEN);
  }

  @Test
  void showsAViewerNoActions() {
    goTo("record?tenant=acme&scope=payment_confirmation&key=order-4711", ConsoleFixture.VIEWER);

    assertThat(page.locator("h1 .badge")).hasText("uncertain");
    assertThat(page.locator("[data-action]")).hasCount(0);
  }

  @Test
  void showsMarkupInAKeyAsText() {
    goTo("records?tenant=acme&scope=payment_confirmation");

    assertThat(page.getByText(MARKUP)).isVisible();
    assertThat(page.locator("td img")).hasCount(0);
  }

  @Test
  void saysWhetherADeadLetterIsSafeToRetry() {
    goTo("jobs?tenant=acme&state=dead");
    page.getByRole(AriaRole.LINK, named("mail/receipt")).click();

    assertThat(page.getByText("Is it safe to retry?")).isVisible();
    assertThat(page.locator(".note .badge")).hasText("no effect");
    assertThat(page.locator("[data-action=repeat-job]")).hasCount(0);
  }

  @Test
  void drawsARunAndSaysWhyItWaits() {
    goTo("runs?tenant=acme");
    page.getByRole(AriaRole.LINK, named("ship-4711")).click();

    assertThat(page.getByText("Why is it waiting?")).isVisible();
    assertThat(page.locator("svg.gantt")).hasCount(2);
  }

  @Test
  void showsOneTimelineForAKey() {
    goTo("timeline?tenant=acme&key=order-4711");

    assertThat(page.locator("ol.timeline li")).hasCount(4);
    assertThat(page.locator("ol.timeline")).containsText("HTTP request");
    assertThat(page.locator("ol.timeline")).containsText("payment");
    assertThat(page.locator("ol.timeline")).containsText("mail/invoice");
  }

  @Test
  void retriesAWebhookThatDied() {
    goTo("webhooks?tenant=acme&provider=parcels&state=dead");
    page.getByRole(AriaRole.LINK, named("bad-parcel-4712")).click();

    assertThat(page.getByText("Is it safe to retry?")).isVisible();
    assertThat(page.locator(".note .badge")).hasText("no effect");
    page.locator("[data-action=retry-job]").click();
    page.getByLabel("Reason").fill("the parcel is known now");
    page.getByLabel("Reason").press("Enter");

    assertThat(page.locator("h1 .badge")).hasText("ready");
    console.processItems(); // It dies again, for the other tests.
  }

  @Test
  void redrivesAnEvent() {
    goTo("event?event=event-4711");
    page.locator("[data-action=redrive-event]").click();
    page.getByLabel("Reason").fill("the index is back");
    page.getByLabel("Reason").press("Enter");

    assertThat(page.locator("tbody .badge")).hasText("failed");
    assertThat(console.events.find("search", "event-4711").orElseThrow().state())
        .isEqualTo(ProcessedState.FAILED);
  }

  @Test
  void tellsRatesInWords() {
    goTo("live");

    assertThat(page.locator("figure[data-kind=new] svg"))
        .hasAttribute(
            "aria-label", Pattern.compile("new: \\d+ in the last minute, 40 in ten minutes.*"));
    page.getByText("The numbers, by minute").click();
    assertThat(page.getByRole(AriaRole.REGION, named("Rates by minute"))).isVisible();
  }

  @Test
  void remembersAChosenTheme() {
    goTo("live");
    page.getByRole(AriaRole.BUTTON, exactly("Dark")).click();
    page.reload();

    assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
  }

  /** What an update of the live page replaces must not take the focus away. */
  @Test
  void keepsTheFocusWhileTheNumbersChange() {
    page.clock().install();
    goTo("live");
    page.locator("summary").focus();
    page.keyboard().press("Enter");

    Response updated = page.waitForResponse("**/api/live", () -> page.clock().runFor(6_000));

    assertThat(updated.status()).isEqualTo(200);
    assertThat(page.locator("summary")).isFocused();
    assertThat(page.getByRole(AriaRole.REGION, named("Rates by minute"))).isVisible();
    page.route("**/api/live", Route::abort);
    page.clock().runFor(6_000);
    assertThat(page.getByText("not up to date")).isVisible();
  }

  @Test
  void leadsFromTheSignInToADecisionWithTheKeyboardAlone() {
    page.navigate(console.server.address());
    assertThat(page.getByLabel("Token")).isFocused();
    page.keyboard().type(ConsoleFixture.OPERATOR);
    page.keyboard().press("Enter");
    assertThat(page.getByRole(AriaRole.HEADING, named("Live"))).isVisible();
    tabTo("Records", "records");
    tabTo("Uncertain: a decision is needed", "records");
    assertThat(page.locator("tbody tr")).hasCount(1);
    tabTo("order-4711", "record");
    tabTo("It did not happen", "record");
    assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.getByRole(AriaRole.DIALOG)).isHidden();
    assertThat(page.getByRole(AriaRole.BUTTON, exactly("It did not happen"))).isFocused();
    page.keyboard().press("Enter");
    page.keyboard().type("nothing at the provider");
    page.keyboard().press("Enter");

    assertThat(page.locator("h1 .badge")).hasText("open");
    assertThat(page.locator("main")).isFocused();
  }

  /** Presses Tab until something with this name has the focus, then Enter. */
  private void tabTo(String name, String view) {
    for (int i = 0; i < MAX_TABS; i++) {
      page.keyboard().press("Tab");
      if (name.equals(page.evaluate("() => document.activeElement.textContent"))) {
        page.keyboard().press("Enter");
        assertThat(page.locator("main[data-view=" + view + "]")).isVisible();
        return;
      }
    }
    throw new AssertionError("no key press leads to " + name);
  }

  /** Everything that a mouse can use is reached with Tab, in the order of the page, and is seen. */
  @Test
  void reachesEverythingInEveryViewWithTheKeyboard() {
    goTo("live");
    for (Map.Entry<String, String> it : views().entrySet()) {
      open(it);
      int count = (int) page.evaluate(NUMBER_CONTROLS);
      for (int i = 1; i < count; i++) {
        page.keyboard().press("Tab");
        assertThat(page.evaluate(FOCUSED))
            .as("key press %d in %s", i, it.getKey())
            .isEqualTo(i + " is seen");
      }
    }
  }

  /** At 320 pixels, or 400 % of 1280; and at 550, which is 200 % of this test's window. */
  @ParameterizedTest
  @ValueSource(ints = {NARROWEST, 550})
  void fitsIntoANarrowWindow(int width) throws IOException {
    context.close();
    show(ColorScheme.LIGHT, true);
    page.setViewportSize(width, 640);
    goTo("live");
    for (Map.Entry<String, String> it : views().entrySet()) {
      open(it);
      assertThat((int) page.evaluate("() => document.documentElement.scrollWidth"))
          .as("width of " + it.getKey())
          .isLessThanOrEqualTo(width);
      if (width == NARROWEST) {
        assertNoViolations(it.getKey());
      }
      picture(it.getKey() + "-" + width, ColorScheme.LIGHT);
    }
  }

  /** Axe finds what a person with a keyboard or a screen reader would stumble over. */
  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "DARK"})
  void isAccessible(ColorScheme scheme) throws IOException {
    context.close();
    show(scheme, true);
    page.navigate(console.server.address());
    assertThat(page.getByLabel("Token")).isVisible();
    assertNoViolations("sign-in");
    goTo("live");
    Map<String, String> views = views();
    for (Map.Entry<String, String> it : views.entrySet()) {
      open(it);
      assertNoViolations(it.getKey());
      assertThat(page.evaluate(TEXT_OUTSIDE_OF_ELEMENTS)).as(it.getKey()).isEqualTo("");
      picture(it.getKey(), scheme);
    }
    page.navigate(console.server.address() + "#/" + views.get("record"));
    page.getByRole(AriaRole.BUTTON, exactly("It happened")).click();
    assertNoViolations("dialog");
    picture("dialog", scheme);
  }

  private static Map<String, String> views() {
    return Map.ofEntries(
        Map.entry("live", "live"),
        Map.entry("records", "records?tenant=acme"),
        Map.entry("record", "record?tenant=acme&scope=payment_confirmation&key=order-4711"),
        Map.entry("jobs", "jobs?tenant=acme"),
        Map.entry("job", "job?tenant=acme&id=" + deadLetter()),
        Map.entry("runs", "runs?tenant=acme"),
        Map.entry("run", "run?tenant=acme&run=ship-4711"),
        Map.entry("webhooks", "webhooks?tenant=acme"),
        Map.entry("item", "item?tenant=acme&provider=parcels&key=bad-parcel-4712"),
        Map.entry("events", "events"),
        Map.entry("event", "event?event=event-4711"),
        Map.entry("timeline", "timeline?tenant=acme&key=order-4711"));
  }

  private void open(Map.Entry<String, String> view) {
    page.navigate(console.server.address() + "#/" + view.getValue());
    assertThat(page.locator("main[data-view=" + view.getKey() + "]")).isVisible();
  }

  private void assertNoViolations(String view) throws IOException {
    assertThat(Axe.violations(page)).as("violations in " + view).isEmpty();
  }

  private void picture(String view, ColorScheme scheme) {
    String name = view + "-" + scheme.name().toLowerCase(Locale.ROOT);
    if (WRITE) {
      Path folder = IN_THE_GUIDE.contains(name) ? PICTURES : Path.of("target", "pictures");
      page.screenshot(new Page.ScreenshotOptions().setPath(folder.resolve(name + ".png")));
    }
  }

  private static String deadLetter() {
    LetterQuery mail = LetterQuery.of("acme").inQueue("mail");
    return Long.toString(console.jobs.deadLetters().list(mail).get(1).id());
  }

  private void goTo(String hash) {
    goTo(hash, ConsoleFixture.OPERATOR);
  }

  private void goTo(String hash, String token) {
    page.navigate(console.server.address() + "#/" + hash);
    signIn(token);
    assertThat(page.locator("main[data-view]:not([data-view=sign-in])")).isVisible();
  }

  private void signIn(String token) {
    page.getByLabel("Token").fill(token);
    page.getByRole(AriaRole.BUTTON, exactly("Sign in")).click();
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name);
  }

  private static Page.GetByRoleOptions exactly(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }
}
