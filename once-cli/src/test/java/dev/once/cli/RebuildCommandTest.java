package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Aggregate;
import dev.once.events.EventData;
import dev.once.events.EventExecution;
import dev.once.opensearch.DocumentMapper;
import dev.once.opensearch.ReadModel;
import dev.once.opensearch.SearchProjection;
import dev.once.opensearch.TestOpenSearch;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A read model is built again and checked from the command line. */
class RebuildCommandTest {
  private final CliDatabase database = new CliDatabase();
  private final String name = "orders-" + UUID.randomUUID().toString().substring(0, 8);
  private final ReadModel model =
      ReadModel.builder(TestOpenSearch.client(), name)
          .build(DocumentMapper.ofData("order", Set.of("order.deleted")));

  @TempDir Path folder;

  @BeforeEach
  void appendEvents() throws InterruptedException {
    model.createIfAbsent();
    database.append("e-1", "order.placed", "order", "7");
    database.append("e-2", "order.placed", "order", "8");
    database.append("e-3", "order.deleted", "order", "8");
    database.append("e-4", "user.named", "user", "7");
  }

  @Test
  void writesTheDocumentsAgainIntoANewIndex() throws Exception {
    CliRun run = rebuild();

    assertThat(run.exitCode()).isZero();
    String previous = name + "-" + "0".repeat(17);
    assertThat(run.lines())
        .hasSize(1)
        .first()
        .asString()
        .matches(
            "rebuilt %s: events=4 rejected=0 index=%s-\\d{17} previous=%s removed=-"
                .formatted(name, name, previous));
    assertThat(get("/" + name + "/_search")).contains("\"name\":\"e-1\"").doesNotContain("\"e-2\"");
    CliRun check = check();
    assertThat(check.exitCode()).isZero();
    assertThat(check.lines())
        .containsExactly(name + ": equal to the log events=4 documents=2 differences=0");
  }

  @Test
  void usesTheDefinitionAndRemovesOldIndexes() throws Exception {
    Path definition = folder.resolve("orders.json");
    Files.writeString(
        definition, "{\"mappings\":{\"properties\":{\"name\":{\"type\":\"keyword\"}}}}");

    CliRun run = rebuild("--definition", definition.toString(), "--remove-old", "--json");

    String previous = name + "-" + "0".repeat(17);
    assertThat(run.lines())
        .hasSize(1)
        .first()
        .asString()
        .startsWith("{\"model\":\"" + name + "\",\"events\":4,\"rejected\":0,\"index\":\"")
        .endsWith("\"previous\":\"%s\",\"removed\":[\"%s\"]}".formatted(previous, previous));
    assertThat(get("/" + name + "/_mapping"))
        .contains("\"name\":{\"type\":\"keyword\"}")
        .doesNotContain(previous);
  }

  @Test
  void saysWhichEventsBecomeNoDocument() {
    Aggregate order = new Aggregate("order", "9");
    database.store().append(EventData.of("e-5", order, "order.placed", "[1]"));

    CliRun run = rebuild();

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains(" events=5 rejected=1 ");
    assertThat(run.err()).contains("rejected e-5: its document must be a JSON object");
  }

  @Test
  void discardsARebuildThatWasStopped() throws Exception {
    CliRun run = rebuild("--discard");

    assertThat(run.exitCode()).isZero();
    assertThat(run.lines()).containsExactly("no rebuild of " + name + " is left");
    assertThat(get("/" + name + "/_mapping")).contains(name + "-" + "0".repeat(17));
  }

  @Test
  void listsWhatDiffersFromTheLog() throws Exception {
    try (SearchProjection projection = SearchProjection.start(model)) {
      projection.apply(database.store().find("e-2").orElseThrow(), new EventExecution(1, 1));
    }

    CliRun text = check("--patience", "0");
    CliRun json = check("--patience", "0", "--json", "--limit", "1");

    assertThat(text.exitCode()).isEqualTo(1);
    assertThat(text.lines())
        .containsExactlyInAnyOrder(
            "missing order/7 expected=1 found=0",
            "stale order/8 expected=2 found=1",
            name + ": differs from the log events=4 documents=1 differences=2");
    assertThat(text.out() + text.err()).doesNotContain("e-1");
    assertThat(json.exitCode()).isEqualTo(1);
    assertThat(json.lines())
        .hasSize(2)
        .first()
        .asString()
        .startsWith("{\"difference\":\"stale\",\"document_id\":\"order/8\",");
    assertThat(json.lines())
        .last()
        .isEqualTo(
            """
            {"model":"%s","equal":false,"events":4,"documents":1,"differences":1,"complete":false}"""
                .formatted(name));
  }

  @Test
  void saysThatTheReadModelIsUnknown() {
    CliRun run =
        CliRun.of(
            environment(), "events", "rebuild", "--model", "oders", "--aggregate-type", "order");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "once: read model oders has no index: check its name, or let its projection create it\n");
  }

  private CliRun rebuild(String... options) {
    return run("rebuild", options);
  }

  private CliRun check(String... options) {
    return run("check", options);
  }

  private CliRun run(String command, String... options) {
    String[] fixed = {
      "events", command, "--model", name, "--aggregate-type", "order", "--deletes", "order.deleted"
    };
    String[] arguments = new String[fixed.length + options.length];
    System.arraycopy(fixed, 0, arguments, 0, fixed.length);
    System.arraycopy(options, 0, arguments, fixed.length, options.length);
    return CliRun.of(environment(), arguments);
  }

  private Map<String, String> environment() {
    return database.environment("OPENSEARCH_URL", TestOpenSearch.uri().toString());
  }

  private static String get(String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(TestOpenSearch.uri() + path)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }
}
