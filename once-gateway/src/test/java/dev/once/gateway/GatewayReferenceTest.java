package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.cache.NearCache;
import dev.once.http.Caller;
import dev.once.http.Contract;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpBody;
import dev.once.http.HttpCall;
import dev.once.http.HttpOnce;
import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import dev.once.http.Refusal;
import dev.once.http.ReplayStatus;
import dev.once.http.Route;
import dev.once.inbox.InboxEvent;
import dev.once.jobs.JobEvent;
import dev.once.json.Fingerprinter;
import dev.once.testkit.internal.GeneratedPage;
import dev.once.testkit.internal.MeterTable;
import dev.once.testkit.internal.RecordSamples;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/reference/gateway.md has the settings and the meters of the gateway. Names and values come
 * from the code; defaults and meanings are written on the page, and the defaults are compared.
 */
class GatewayReferenceTest {
  private static final Path PAGE = Path.of("../docs/reference/gateway.md");
  private static final Path PROBLEMS = Path.of("../docs/reference/problems/gateway.md");
  private static final Path SOURCES = Path.of("src/main/java/dev/once/gateway");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([^`]+)` \\|([^|]*)\\|([^|]*)\\|([^|]*)\\|$");
  private static final String REQUIRED = "required";

  private static final String HEAD =
      """
      # Gateway

      Settings and metrics of [the gateway](../guides/gateway.md). Its options are those of [`./once gateway`](command-line.md#gateway), its
      problems have [a page](problems/gateway.md).

      ## Settings
      A dot separates the levels of the YAML file; brackets mark a list. A time is written `500ms`, `30s`, `5m`, `24h` or `7d`; a size `65536`,
      `64KiB` or `1MiB`. Unknown names and wrong values are refused with line and column.

      """;

  private static final String METRICS =
      """

      ## Metrics
      At `/metrics` on the admin port, in the format of Prometheus, where the name of a counter ends in `_total`.

      """;

  @TempDir private Path folder;

  @Test
  void hasEverySettingAndEveryMeter() throws Exception {
    Map<String, Row> written = written();
    StringBuilder page = new StringBuilder(HEAD);
    page.append(GeneratedPage.head("name", "value", "default", "meaning"));
    settings()
        .all()
        .forEach(
            (name, values) -> {
              Row row = written.getOrDefault(name, new Row("", ""));
              page.append(
                  GeneratedPage.row(List.of("`" + name + "`", values, row.usual(), row.meaning())));
            });
    page.append(METRICS).append(meters());

    GeneratedPage.check(PAGE, page.toString());
    assertThat(written().values()).as("meanings").noneMatch(it -> it.meaning().isEmpty());
  }

  @Test
  void hasTheDefaultsOfTheCode() throws IOException {
    KnownSettings settings = settings();
    Map<String, Row> written = written();
    settings
        .all()
        .keySet()
        .forEach(
            name -> {
              String usual = written.getOrDefault(name, new Row("", "")).usual();
              assertThat(usual.equals(REQUIRED)).as(name).isEqualTo(settings.isRequired(name));
              if (usual.startsWith("`")) {
                assertThat(settings.with(name, Optional.of(usual.replace("`", ""))))
                    .as(name)
                    .usingRecursiveComparison()
                    .isEqualTo(settings.with(name, Optional.empty()));
              }
            });
  }

  @Test
  void hasAPageWithEveryProblem() throws IOException {
    Pattern row = Pattern.compile("(?m)^\\| (`[^`]+`) \\| (\\d+) \\|");
    Pattern code = Pattern.compile("\"code\":\"([^\"]+)\"");
    List<String> expected =
        Stream.of(GatewayProblem.values())
            .map(it -> it.answer(Contract.STRICT, "a detail"))
            .map(
                it -> {
                  var body = code.matcher(new String(it.bytes(), StandardCharsets.UTF_8));
                  assertThat(body.find()).isTrue();
                  return "`" + body.group(1) + "` " + it.status();
                })
            .toList();

    assertThat(row.matcher(Files.readString(PROBLEMS)).results())
        .extracting(it -> it.group(1) + " " + it.group(2))
        .isEqualTo(expected);
  }

  private KnownSettings settings() {
    return new KnownSettings(folder.resolve("gateway.yaml"));
  }

  private record Row(String usual, String meaning) {}

  /** Returns what is written on the page about each setting. */
  private static Map<String, Row> written() throws IOException {
    Map<String, Row> rows = new HashMap<>();
    String page = Files.exists(PAGE) ? Files.readString(PAGE) : "";
    int end = page.indexOf("## Metrics");
    ROW.matcher(end < 0 ? page : page.substring(0, end))
        .results()
        .forEach(it -> rows.put(it.group(1), new Row(it.group(3).strip(), it.group(4).strip())));
    return rows;
  }

  private static String meters() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    NearCache cache = NearCache.builder().build();
    GatewayMetrics metrics = new GatewayMetrics(registry);
    metrics.watch(cache);
    metrics.spool(new Spool(BodySettings.of(1)));
    report(metrics);
    report(new WebhookEvents(registry));
    MeterTable table = new MeterTable();
    for (Meter meter : registry.getMeters()) {
      Meter.Id id = meter.getId();
      table.add(
          id.getName(),
          id.getType().name().toLowerCase(Locale.ROOT),
          id.getTags().stream().collect(Collectors.toMap(Tag::getKey, Tag::getValue)),
          String.valueOf(id.getDescription()));
    }
    table.requireAllOf(SOURCES);
    return table.text();
  }

  private static void report(WebhookEvents events) throws ReflectiveOperationException {
    RecordSamples samples = new RecordSamples(Map.of());
    for (Class<?> type : InboxEvent.class.getPermittedSubclasses()) {
      events.on((InboxEvent) samples.of(type));
    }
    for (Class<?> type : JobEvent.class.getPermittedSubclasses()) {
      events.on((JobEvent) samples.of(type));
    }
  }

  private static void report(GatewayMetrics metrics) {
    Route route = Route.of("/orders/{id}", Route.Mode.LEASED);
    HttpCall call = HttpCall.of("POST", "/orders/1", "", List.of(), HttpBody.NONE);
    HttpOnce http = new HttpOnce(Contract.STRICT, Fingerprinter.sha256());
    HttpOperation operation =
        http.operation("k", call, route, new Caller("acme", "ann"), Headers.NONE);
    HttpAnswer answer = HttpAnswer.of(201, Headers.NONE, new byte[0]);
    for (ReplayStatus status : ReplayStatus.values()) {
      metrics.answered(operation, new Answered(status, answer, Optional.empty()));
      metrics.observed(operation, status);
    }
    metrics.passed("POST", route, Refusal.KEY_REQUIRED);
    metrics.refused("POST", route, Refusal.KEY_REQUIRED);
    Upstream upstream = new Upstream(UpstreamSettings.of("http://127.0.0.1:9"));
    URI address = URI.create("http://127.0.0.1:9/orders/1");
    Target target =
        new Target(
            upstream,
            address,
            http,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Set.of());
    for (Forwarding forwarding : Forwarding.values()) {
      metrics.forwarded(target, forwarding);
    }
  }
}
