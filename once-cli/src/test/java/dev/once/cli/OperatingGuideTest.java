package dev.once.cli;

import static dev.once.cli.CliRecords.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jobs.Handler;
import dev.once.jobs.Job;
import dev.once.jobs.JobException;
import dev.once.jobs.JobKey;
import dev.once.jobs.Jobs;
import dev.once.jobs.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the pages for operators do what the page says, in its order. */
@SuppressWarnings("try") // Workers work until they are closed.
@Timeout(120)
class OperatingGuideTest {
  private static final Path PAGES = Path.of("../docs/operating");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
  private static final String PROMPT = "$ ./once ";

  private final CliDatabase database = new CliDatabase();

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "incidents.md", "failover.md", "upgrade.md"})
  void everyCommandOfThePageSucceeds(String page) throws Exception {
    try (CliRecords records = new CliRecords(database)) {
      records.leaveUncertain(key("order-1"));
      records.leaveUncertain(key("order-2"));
      records.leaveUncertain(key("order-3"));
    }
    var unused = database.append("e-1", "order.placed", "order", "o-1");
    String dead = String.valueOf(die());
    List<String> commands = commands(page);
    assertThat(commands).hasSizeGreaterThan(2);

    for (String command : commands) {
      String line = command.replaceFirst("^jobs (show|retry) 1 ", "jobs $1 " + dead + " ");
      CliRun run = CliRun.of(database.environment(), words(line));
      if (line.equals("doctor")) { // The server of tests does not flush, and nothing else is wrong.
        assertThat(run.lines()).filteredOn(it -> it.startsWith("problem")).hasSize(1);
        assertThat(run.out()).containsPattern("problem +settings +fsync=off");
      } else {
        assertThat(run.exitCode()).as(line + "\n" + run.out() + run.err()).isZero();
      }
    }
  }

  private static List<String> commands(String page) throws IOException {
    return Files.readAllLines(PAGES.resolve(page)).stream()
        .filter(it -> it.startsWith(PROMPT))
        .map(it -> it.substring(PROMPT.length()))
        .toList();
  }

  /** Splits a line as a shell does. */
  private static String[] words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      for (int group = 1; group <= 3; group++) {
        if (word.group(group) != null) {
          words.add(word.group(group));
        }
      }
    }
    return words.toArray(new String[0]);
  }

  private long die() {
    try (Jobs jobs = Jobs.over(database.dataSource())) {
      long id = jobs.enqueue(Job.of(new JobKey("acme", "mail", "send", "1"))).id();
      Handler givesUp =
          Handler.transactional(
              (run, it) -> {
                throw new JobException.GiveUp("the mail server is away");
              });
      try (Workers unused =
          Workers.over(jobs)
              .handle("mail", "send", givesUp)
              .pollInterval(Duration.ofMillis(50))
              .start()) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (jobs.deadLetters().find("acme", id).isEmpty()) {
          assertThat(System.nanoTime() - end).as("the job does not die").isNegative();
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
      }
      return id;
    }
  }
}
