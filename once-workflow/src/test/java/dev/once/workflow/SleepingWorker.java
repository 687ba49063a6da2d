package dev.once.workflow;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.Codec;
import dev.once.jobs.Jobs;
import dev.once.jobs.Queue;
import dev.once.jobs.Workers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** The process of {@link SleepingRunsTest}. It ends with its standard input. */
@SuppressWarnings("try") // Workers work until they are closed.
final class SleepingWorker {
  /** Sleeps for a day. */
  static final Workflow<@Nullable String, @Nullable String> SLEEP =
      Workflow.of("sleep", 1, Codec.text(), Codec.text());

  /** Returns how many KiB its process has resident. */
  static final Workflow<@Nullable String, @Nullable String> MEMORY =
      Workflow.of("memory", 1, Codec.text(), Codec.text());

  private static final WorkflowStep<@Nullable String> WORK = WorkflowStep.of("work", Codec.text());
  private static final int SLOTS = 16;

  private SleepingWorker() {}

  static Workflows.Builder registered(Workflows.Builder builder) {
    return builder
        .register(
            SLEEP,
            (context, input) -> {
              context.step(WORK, execution -> input);
              context.sleep(Duration.ofDays(1));
              return input;
            })
        .register(MEMORY, (context, input) -> context.step(WORK, execution -> resident()));
  }

  /** Arguments: URL and user of the database. Standard input has the password. */
  public static void main(String[] args) throws IOException {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setURL(args[0]);
    database.setUser(args[1]);
    database.setPassword(in.readLine());
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(SLOTS + 4);
    try (HikariDataSource pool = new HikariDataSource(config);
        Jobs jobs = Jobs.over(pool);
        Workflows workflows = registered(Workflows.builder(jobs)).build();
        Workers workers =
            workflows
                .addTo(Workers.over(jobs))
                .queue(Queue.named(WorkflowDatabase.QUEUE).withSlots(SLOTS))
                .start()) {
      in.readLine();
    }
  }

  private static String resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(it -> it.startsWith("VmRSS:"))
        .map(it -> it.replaceAll("[^0-9]", ""))
        .findFirst()
        .orElseThrow();
  }
}
