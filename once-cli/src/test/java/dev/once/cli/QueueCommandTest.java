package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operations in a file, and what a person can do with them. */
@Timeout(120)
class QueueCommandTest {
  private final KeyedServer server = new KeyedServer();

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("queue.db");
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void listsOperationsInTheirOrder() {
    String first = enqueue("{\"n\":1}", "--type", "createUser", "--ordering-key", "ada");
    String second = enqueue("{\"n\":2}", "--key", "k-2");

    CliRun run = queue("list");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.lines()).hasSize(2);
    assertThat(run.lines().get(0))
        .startsWith(
            "%s state=pending type=createUser request=POST %s ordering-key=ada group=- attempts=0 key="
                .formatted(first, server.url()));
    assertThat(run.lines().get(1)).startsWith(second).contains(" key=k-2 ");
    assertThat(queue("list", "--json").lines().get(1))
        .isEqualTo(
            "{\"id\":\"%s\",\"key\":\"k-2\",\"state\":\"pending\",\"type\":\"POST /users\",\"method\":\"POST\",\"url\":\"%s\",\"attempts\":0}"
                .formatted(second, server.url()));
    assertThat(queue("list", "--state", "done,failed").lines()).isEmpty();
    assertThat(server.requests).isEmpty();
  }

  @Test
  void showsTheRequestAndTheAnswer() {
    String id = enqueue("{\"n\":1}");
    assertThat(queue("run").exitCode()).isZero();

    CliRun run = queue("show", id);

    assertThat(run.lines())
        .contains(
            "request content-type: application/json",
            "request {\"n\":1}",
            "answer status: 201",
            "answer {\"id\":1}");
    assertThat(queue("show", id, "--json").out())
        .contains(
            "\"state\":\"done\"",
            "\"status\":201",
            "\"headers\":{\"content-type\":\"application/json\"}",
            "\"body\":{\"n\":1}",
            "\"answer\":{\"id\":1}");
  }

  @Test
  void aFailedOperationIsRetriedWithItsKeyOrRepeatedWithANewOne() {
    server.fail(422, "{}");
    server.fail(422, "{}");
    server.fail(422, "{}");
    String retried = enqueue("{\"n\":1}");
    String repeated = enqueue("{\"n\":2}");
    String dropped = enqueue("{\"n\":3}");
    assertThat(queue("run").exitCode()).isEqualTo(1);
    assertThat(queue("list", "--state", "failed").lines()).hasSize(3);
    List<String> keys = keys();

    assertThat(queue("retry", retried).out()).startsWith(retried + " state=pending ");
    assertThat(queue("repeat", repeated).out()).startsWith(repeated + " state=pending ");
    assertThat(queue("drop", dropped, "--json").out()).contains("\"state\":\"dropped\"");
    CliRun run = queue("run", "--json");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.lines()).hasSize(2).allMatch(it -> it.contains("\"result\":\"done\""));
    List<String> later = keys().subList(3, 5);
    assertThat(later).filteredOn(keys::contains).hasSize(1);
    assertThat(server.effects().values()).containsExactlyInAnyOrder("{\"n\":1}", "{\"n\":2}");
  }

  @Test
  void anEditedOperationHasANewKey() {
    String id = enqueue("{\"n\":1}", "--key", "k-1");

    CliRun run = queue("edit", id, "--json", "{\"n\":9}", "--json-output");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("\"id\":\"" + id + "\"").doesNotContain("k-1");
    assertThat(queue("run").exitCode()).isZero();
    assertThat(server.effects().values()).containsExactly("{\"n\":9}");
    assertThat(queue("edit", id, "--json", "{}").err())
        .contains("operation " + id + " is done: it can be edited when it is pending or failed");
  }

  @Test
  void anEditThatComesTooLateFollowsTheOriginal() {
    server.fail(503, "{}");
    String id = enqueue("{\"n\":1}");
    CliRun running = CliRun.start(Map.of(), "queue", "run", file.toString());
    running.awaitErr(" waits ");
    int unused = running.interrupt();

    CliRun edit = queue("edit", id, "--json", "{\"n\":9}");

    assertThat(edit.out()).doesNotStartWith(id);
    assertThat(edit.err()).contains("it ends first");
    assertThat(queue("run").exitCode()).isZero();
    assertThat(server.requests)
        .extracting(KeyedServer.Received::body)
        .containsExactly("{\"n\":1}", "{\"n\":1}", "{\"n\":9}");
  }

  @Test
  void aRunEndsIfWhatFailedBlocksTheRest() {
    server.fail(422, "{}");
    enqueue("{\"n\":1}", "--ordering-key", "ada");
    assertThat(queue("run").exitCode()).isEqualTo(1);
    enqueue("{\"n\":2}", "--ordering-key", "ada");
    enqueue("{\"n\":3}", "--ordering-key", "grace");

    CliRun run = queue("run");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines()).hasSize(1).first().asString().startsWith("result=done status=201 ");
    assertThat(run.err()).contains("block their ordering keys");
    assertThat(queue("list", "--state", "pending").lines()).hasSize(1);
  }

  @Test
  void aRunEndsWhenItsTimeIsOver() {
    enqueue("{\"n\":1}");
    server.close();

    CliRun run = queue("run", "--timeout", "1");

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).contains("stay in the queue");
    assertThat(queue("list", "--state", "pending").lines()).hasSize(1);
  }

  @Test
  void refusesWhatIsNotThere() {
    assertThat(queue("list").err())
        .isEqualTo("once: there is no queue " + file + ": check the path\n");
    assertThat(Files.exists(file)).isFalse();
    enqueue("{}");

    for (String command : List.of("show", "retry", "repeat", "drop")) {
      CliRun run = queue(command, "no-such-id");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .isEqualTo("once: the queue has no operation no-such-id: check its id\n");
    }
    assertThat(queue("retry").exitCode()).isEqualTo(2);
    assertThat(queue("edit", "no-such-id").err()).contains("give a body");
    assertThat(CliRun.of(Map.of(), "queue").err())
        .contains("name a command", "usage: ./once queue");
  }

  @Test
  void onlyAFailedOperationIsRetried() {
    String id = enqueue("{}");

    CliRun run = queue("retry", id);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "once: only a failed operation can be sent again; operation " + id + " is pending\n");
  }

  private String enqueue(String body, String... options) {
    List<String> arguments =
        new ArrayList<>(List.of("send", "POST", server.url(), "--json", body, "--no-wait"));
    arguments.addAll(List.of("--queue", file.toString()));
    arguments.addAll(List.of(options));
    CliRun run = CliRun.of(Map.of(), arguments.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out().split(" ", 2)[0];
  }

  private CliRun queue(String command, String... options) {
    List<String> arguments = new ArrayList<>(List.of("queue", command, file.toString()));
    arguments.addAll(List.of(options));
    return CliRun.of(Map.of(), arguments.toArray(String[]::new));
  }

  private List<String> keys() {
    return server.requests.stream().map(KeyedServer.Received::key).toList();
  }
}
