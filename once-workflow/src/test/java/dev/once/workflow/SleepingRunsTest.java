package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.steps.RunId;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Runs that sleep, and wait for a signal, need no memory of the process that let them sleep. The
 * long form has as many as {@code -Donce.workflow.sleeping=10000}.
 */
@Tag("any-jdk")
class SleepingRunsTest {
  @RegisterExtension
  static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-sleep");

  private static final int RUNS = Integer.getInteger("once.workflow.sleeping", 2000);
  private static final int RUNS_PER_COMMIT = 500;
  private static final long MAX_MEBIBYTES = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(60 + RUNS / 100);

  @TempDir Path folder;

  @Test
  @EnabledOnOs(OS.LINUX) // It reads /proc.
  void aProcessThatLetThousandsOfRunsSleepIsSmall() throws Exception {
    Workflows workflows = DATABASE.workflows(SleepingWorker::registered);
    startRuns(workflows);
    Path log = folder.resolve("worker.log");
    Process worker = launch(log);
    try {
      Polling.until(PATIENCE, SleepingRunsTest::suspended, it -> it == RUNS);
      RunId memory = new RunId("acme", "memory");
      workflows.start(SleepingWorker.MEMORY, memory, "");
      WorkflowDatabase.ended(workflows, memory);

      long kibibytes =
          Long.parseLong(workflows.runs().value(memory, SleepingWorker.MEMORY).orElseThrow());
      System.out.printf("%d sleeping runs, %d MiB resident%n", RUNS, kibibytes >> 10);
      assertThat(kibibytes >> 10).as(Files.readString(log)).isLessThan(MAX_MEBIBYTES);
    } finally {
      worker.destroyForcibly().onExit().orTimeout(1, TimeUnit.MINUTES).join();
    }
  }

  private static void startRuns(Workflows workflows) throws SQLException {
    try (Connection connection = DATABASE.pool().getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 1; i <= RUNS; i++) {
        RunId run = new RunId("acme", "sleeper-" + i);
        workflows.start(connection, SleepingWorker.SLEEP, run, "boots");
        if (i % RUNS_PER_COMMIT == 0 || i == RUNS) {
          connection.commit();
        }
      }
    }
  }

  private static int suspended() {
    return Integer.parseInt(
        DATABASE
            .query(
                """
                SELECT count(*) FROM once_workflow_run r JOIN once_workflow_entry e USING (tenant, run)
                WHERE r.owner_job IS NULL AND e.kind = 'timer' AND e.state = 'waiting'
                """)
            .get(0));
  }

  private static Process launch(Path log) throws IOException, SQLException {
    PGSimpleDataSource database = DATABASE.direct().unwrap(PGSimpleDataSource.class);
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx64m",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    SleepingWorker.class.getName(),
                    String.valueOf(database.getURL()),
                    String.valueOf(database.getUser())))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    // Stays open: the process ends when this one ends, for any reason.
    BufferedWriter input = process.outputWriter();
    input.write(database.getPassword() + "\n");
    input.flush();
    return process;
  }
}
