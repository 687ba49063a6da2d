package dev.once.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.once.EngineEvent;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Once;
import dev.once.Recovery;
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

/**
 * The page, in a browser. With {@code -Donce.console.pictures=write} this test replaces the
 * pictures of the guide.
 */
class PageTest {
  private static final boolean WRITE = "write".equals(System.getProperty("once.console.pictures"));
  private static final Path PICTURES = Path.of("..", "docs", "guides", "console");
  private static final Set<String> IN_THE_GUIDE =
      Set.of(
          "live-light", "records-light", "record-dark", "job-light", "run-dark", "timeline-light");

  /** A part that is missing must not be shown as "false" or "null". */
  private static final String TEXT_OUTSIDE_OF_ELEMENTS =
      """
      () => [...document.getElementById('main').childNodes]
          .filter((it) => it.nodeType === Node.TEXT_NODE).map((it) => it.textContent).join('')
      """;

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

  /** Axe finds what a person with a keyboard or a screen reader would stumble over. */
  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "DARK"})
  void isAccessible(ColorScheme scheme) throws IOException {
    context.close();
    show(scheme, true);
    String dead = deadLetter();
    Map<String, String> views =
        Map.ofEntries(
            Map.entry("live", "live"),
            Map.entry("records", "records?tenant=acme"),
            Map.entry("record", "record?tenant=acme&scope=payment_confirmation&key=order-4711"),
            Map.entry("jobs", "jobs?tenant=acme"),
            Map.entry("job", "job?tenant=acme&id=" + dead),
            Map.entry("runs", "runs?tenant=acme"),
            Map.entry("run", "run?tenant=acme&run=ship-4711"),
            Map.entry("webhooks", "webhooks?tenant=acme"),
            Map.entry("events", "events"),
            Map.entry("timeline", "timeline?tenant=acme&key=order-4711"));
    goTo("live");
    for (Map.Entry<String, String> it : views.entrySet()) {
      page.navigate(console.server.address() + "#/" + it.getValue());
      assertThat(page.locator("main[data-view=" + it.getKey() + "]")).isVisible();
      assertNoViolations(it.getKey());
      assertThat(page.evaluate(TEXT_OUTSIDE_OF_ELEMENTS)).as(it.getKey()).isEqualTo("");
      picture(it.getKey(), scheme);
    }
    page.navigate(console.server.address() + "#/" + views.get("record"));
    page.getByRole(AriaRole.BUTTON, exactly("It happened")).click();
    assertNoViolations("dialog");
    picture("dialog", scheme);
  }

  private void assertNoViolations(String view) throws IOException {
    assertThat(Axe.violations(page)).as("violations in " + view).isEmpty();
  }

  private void picture(String view, ColorScheme scheme) {
    String name = view + "-" + scheme.name().toLowerCase(Locale.ROOT);
    if (WRITE && IN_THE_GUIDE.contains(name)) {
      page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve(name + ".png")));
    }
  }

  private static String deadLetter() {
    return Long.toString(console.jobs.deadLetters().list(LetterQuery.of("acme")).get(1).id());
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
