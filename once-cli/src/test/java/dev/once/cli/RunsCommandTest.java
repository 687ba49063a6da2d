package dev.once.cli;

import static dev.once.cli.CliWorkflows.GO;
import static dev.once.cli.CliWorkflows.SHIP;
import static dev.once.cli.CliWorkflows.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.steps.RunId;
import dev.once.workflow.RunState;
import dev.once.workflow.RunView;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of workflows, as an operator sees and changes them. */
@Timeout(120)
class RunsCommandTest {
  private final CliDatabase database = new CliDatabase();
  private final CliWorkflows application = new CliWorkflows(database);

  @AfterEach
  void close() {
    application.close();
  }

  @Test
  void listsRunsOfAllTenantsOrOfOne() {
    for (RunId it : List.of(run("b"), run("a"), new RunId("zeta", "c"))) {
      application.workflows().start(SHIP, it, "boots");
    }

    CliRun all = runs("list");
    CliRun one = runs("list", "--tenant", "zeta", "--json");

    assertThat(all.exitCode()).as(all.err()).isZero();
    assertThat(all.lines())
        .extracting(it -> it.split(" ", 2)[0])
        .containsExactly("acme/a", "acme/b", "zeta/c");
    assertThat(all.lines().get(0))
        .startsWith(
            "acme/a state=running workflow=ship version=1 activations=0 cancel-requested=false")
        .endsWith(" ended=- failure=-");
    assertThat(one.lines())
        .singleElement()
        .asString()
        .startsWith(
            "{\"tenant\":\"zeta\",\"run\":\"c\",\"state\":\"running\",\"workflow\":\"ship\"");
    assertThat(runs("list", "--tenant", "other").lines()).isEmpty();
    assertThat(runs("list", "--state", "failed,completed").lines()).isEmpty();
    assertThat(runs("list", "--state", "running").lines()).hasSize(3);
  }

  @Test
  void saysThatThereAreMore() {
    for (RunId it : List.of(run("a"), run("b"))) {
      application.workflows().start(SHIP, it, "boots");
    }

    CliRun run = runs("list", "--limit", "1");

    assertThat(run.lines()).hasSize(1);
    assertThat(run.err()).isEqualTo("there are more: raise --limit\n");
    assertThat(runs("list", "--limit", "2").err()).isEmpty();
  }

  @Test
  void showsTheHistoryAndWhyARunWaits() {
    application.pack(run("order-1"));

    CliRun text = runs("show", "order-1", "--tenant", "acme");
    CliRun json = runs("show", "order-1", "--tenant", "acme", "--json");

    assertThat(text.exitCode()).as(text.err()).isZero();
    assertThat(text.lines().get(0)).startsWith("acme/order-1 state=running ");
    assertThat(text.lines().get(1)).startsWith("1 step pack state=done failed-attempts=0 due=- ");
    assertThat(text.lines().get(2)).startsWith("2 signal go state=waiting ");
    assertThat(text.lines().get(3)).isEqualTo("waits: waiting signal go until=-");
    assertThat(json.lines().get(1))
        .startsWith("{\"path\":\"1\",\"kind\":\"step\",\"name\":\"pack\",\"state\":\"done\"");
    assertThat(json.lines().get(3)).isEqualTo("{\"waits\":\"waiting signal go\"}");
  }

  @Test
  void cancelsARun() {
    application.pack(run("order-1"));

    CliRun cancelled = runs("cancel", "order-1", "--tenant", "acme");

    assertThat(cancelled.exitCode()).as(cancelled.err()).isZero();
    assertThat(cancelled.out()).contains(" cancel-requested=true ");
    RunView ended = application.workUntil(run("order-1"), it -> it.state().hasEnded());
    assertThat(ended.state()).isEqualTo(RunState.CANCELLED);
    CliRun again = runs("cancel", "order-1", "--tenant", "acme");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err())
        .isEqualTo("once: run order-1 is cancelled: only one that is running can be cancelled\n");
  }

  @Test
  void resumesARunThatFailed() {
    application.pack(run("order-1"));
    application.workflows().signal(run("order-1"), GO, "1", "fail");
    application.workUntil(run("order-1"), it -> it.state() == RunState.FAILED);
    assertThat(runs("list", "--state", "failed").out()).contains("no way to ship a box");

    CliRun resumed = runs("resume", "order-1", "--tenant", "acme");

    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(resumed.out()).contains("state=running").contains("failure=-");
    assertThat(application.workUntil(run("order-1"), it -> it.state().hasEnded()).failure())
        .hasValueSatisfying(it -> assertThat(it).contains("no way to ship"));
  }

  @Test
  void forksARunFromACall() {
    application.pack(run("order-1"));
    String[] fork = {"fork", "order-1", "--tenant", "acme", "--from", "2", "--as", "order-1b"};

    CliRun forked = runs(fork);
    CliRun again = runs(fork);

    assertThat(forked.exitCode()).as(forked.err()).isZero();
    assertThat(forked.out()).startsWith("acme/order-1b state=running ");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err())
        .isEqualTo("once: there is a run order-1b already: choose another name\n");
    application.workflows().signal(run("order-1b"), GO, "1", "go");
    application.workUntil(run("order-1b"), it -> it.state().hasEnded());
    assertThat(application.workflows().runs().value(run("order-1b"), SHIP))
        .hasValue("box of order-1");
  }

  @Test
  void saysThatThereIsNoSuchRun() {
    for (String command : List.of("show", "cancel", "resume")) {
      CliRun run = runs(command, "order-9", "--tenant", "acme");

      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).isEqualTo("once: tenant acme has no run order-9: check both\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "list --state lost",
        "list --limit 0",
        "show",
        "show order-1",
        "cancel order-1",
        "fork order-1 --tenant acme --as other",
        "fork order-1 --tenant acme --from 1",
        "fork order-1 --tenant acme --from one --as other",
        "check",
        "check --class a.B"
      })
  void printsTheUsageOfACommandThatIsMisused(String line) {
    CliRun run = runs(line.isEmpty() ? new String[0] : line.split(" ", -1));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("once: ").contains("\n\nusage: ./once runs ");
  }

  private CliRun runs(String... arguments) {
    String[] all = Stream.concat(Stream.of("runs"), Stream.of(arguments)).toArray(String[]::new);
    return CliRun.of(database.environment(), all);
  }
}
