package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jobs.Handler;
import dev.once.jobs.Job;
import dev.once.jobs.JobException;
import dev.once.jobs.JobKey;
import dev.once.jobs.Jobs;
import dev.once.jobs.LetterAudit;
import dev.once.jobs.Workers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs and dead letters, as an operator sees and changes them. */
@SuppressWarnings("try") // Workers work until they are closed.
@Timeout(120)
class JobsCommandTest {
  private final CliDatabase database = new CliDatabase();
  private final Jobs jobs = Jobs.over(database.dataSource());

  @AfterEach
  void close() {
    jobs.close();
  }

  @Test
  void listsJobsThatAreNotFinished() {
    long later = enqueue("mail", "1");
    long other = enqueue("search", "2");

    CliRun all = jobs("list");
    CliRun mail = jobs("list", "--queue", "mail", "--json");

    assertThat(all.exitCode()).as(all.err()).isZero();
    assertThat(all.lines())
        .extracting(it -> it.split(" due=", 2)[0])
        .containsExactly(
            later + " acme/mail/send 1 state=waiting attempt=0",
            other + " acme/search/send 2 state=waiting attempt=0");
    assertThat(mail.lines())
        .singleElement()
        .asString()
        .startsWith(
            "{\"id\":%d,\"tenant\":\"acme\",\"queue\":\"mail\",\"type\":\"send\",\"resource\":\"1\",\"state\":\"waiting\""
                .formatted(later));
    assertThat(jobs("list", "--state", "ready").lines()).isEmpty();
    assertThat(jobs("list", "--limit", "1").err()).isEqualTo("there may be more: raise --limit\n");
  }

  @Test
  void showsWhyAJobIsDead() {
    long dead = die("1");

    CliRun list = jobs("dead", "--queue", "mail");
    CliRun text = jobs("show", "" + dead);
    CliRun json = jobs("show", "" + dead, "--json");

    assertThat(list.lines())
        .singleElement()
        .asString()
        .startsWith(dead + " acme/mail/send 1 attempt=1 died=")
        .endsWith("GiveUp: no such address");
    assertThat(text.lines().get(0)).isEqualTo(list.lines().get(0));
    assertThat(json.out()).contains("\"state\":\"dead\"", "GiveUp: no such address\"");
    long waiting = enqueue("mail", "2");
    assertThat(jobs("show", "" + waiting).out())
        .startsWith(waiting + " acme/mail/send 2 state=waiting ");
  }

  @Test
  void retriesADeadLetterAndKeepsActorAndReason() {
    long dead = die("1");

    CliRun retried = change("retry", dead);

    assertThat(retried.exitCode()).as(retried.err()).isZero();
    assertThat(retried.out())
        .isEqualTo("retry tenant=acme job=%d actor=ann reason=ticket 4711\n".formatted(dead));
    assertThat(jobs("show", "" + dead).out()).contains("state=ready");
    assertThat(jobs.deadLetters().audit("acme", 0, 10))
        .extracting(LetterAudit::actor)
        .containsExactly("ann (ticket 4711)");
    CliRun again = change("retry", dead);
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err())
        .isEqualTo(
            "once: tenant acme: not changed: %d (only dead letters can be retried; those whose effects may be forgotten can only be repeated)\n"
                .formatted(dead));
  }

  @Test
  void repeatsAndDiscardsDeadLetters() {
    long first = die("1");
    long second = die("2");

    assertThat(change("repeat", first).exitCode()).isZero();
    assertThat(change("discard", second).exitCode()).isZero();

    assertThat(jobs("list").lines()).singleElement().asString().startsWith(first + " ");
  }

  @Test
  void cancelsAJobAndMakesAnotherDue() {
    long cancelled = enqueue("mail", "1");
    long due = enqueue("mail", "2");

    assertThat(change("cancel", cancelled).exitCode()).isZero();
    CliRun both = change("run-now", due, cancelled);

    assertThat(both.exitCode()).isEqualTo(1);
    assertThat(both.out()).startsWith("run-now tenant=acme job=%d ".formatted(due));
    assertThat(both.err()).contains("not changed: %d (only jobs that wait".formatted(cancelled));
    try (Workers unused = work(Handler.transactional((run, it) -> {}))) {
      awaitThat(() -> jobs("list").lines().isEmpty());
    }
  }

  @Test
  void findsNothingOfAnotherTenant() {
    long id = enqueue("mail", "1");

    CliRun show = CliRun.of(database.environment(), "jobs", "show", "" + id, "--tenant", "zeta");

    assertThat(show.exitCode()).isEqualTo(1);
    assertThat(show.err())
        .isEqualTo(
            "once: tenant zeta has no unfinished job %d: check both (./once jobs list --tenant zeta)\n"
                .formatted(id));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "list",
        "list --tenant acme --state lost",
        "list --tenant acme --limit 0",
        "list --tenant acme --queue ~",
        "show --tenant acme",
        "show one --tenant acme",
        "retry --tenant acme --reason r",
        "retry 1 --tenant acme",
        "dead"
      })
  void printsTheUsageOfACommandThatIsMisused(String line) {
    String[] words = line.isEmpty() ? new String[0] : line.split(" ", -1);
    CliRun run =
        CliRun.of(
            database.environment(),
            Stream.concat(Stream.of("jobs"), Stream.of(words)).toArray(String[]::new));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("once: ").contains("\n\nusage: ./once jobs ");
  }

  private long enqueue(String queue, String resource) {
    JobKey key = new JobKey("acme", queue, "send", resource);
    return jobs.enqueue(Job.of(key).withDelay(Duration.ofHours(1))).id();
  }

  private long die(String resource) {
    long id = jobs.enqueue(Job.of(new JobKey("acme", "mail", "send", resource))).id();
    Handler givesUp =
        Handler.transactional(
            (run, it) -> {
              throw new JobException.GiveUp("no such address");
            });
    try (Workers unused = work(givesUp)) {
      awaitThat(() -> jobs.deadLetters().find("acme", id).isPresent());
    }
    return id;
  }

  private Workers work(Handler handler) {
    return Workers.over(jobs)
        .handle("mail", "send", handler)
        .pollInterval(Duration.ofMillis(50))
        .start();
  }

  private interface Condition {
    boolean holds();
  }

  private static void awaitThat(Condition condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      assertThat(System.nanoTime() - end).as("the jobs do not end").isNegative();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private CliRun change(String command, long... ids) {
    Stream<String> words =
        Stream.of(
                List.of(command),
                LongStream.of(ids).mapToObj(String::valueOf).toList(),
                List.of("--reason", "ticket 4711", "--actor", "ann"))
            .flatMap(List::stream);
    return jobs(words.toArray(String[]::new));
  }

  private CliRun jobs(String... arguments) {
    String[] all =
        Stream.of(Stream.of("jobs"), Stream.of(arguments), Stream.of("--tenant", "acme"))
            .flatMap(it -> it)
            .toArray(String[]::new);
    return CliRun.of(database.environment(), all);
  }
}
