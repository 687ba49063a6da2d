package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The largest payloads, many times what a process has memory for. The long form has as many as
 * {@code -Donce.jobs.large=1500}.
 */
class SmallHeapTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("heap");
  private static final int JOBS = Integer.getInteger("once.jobs.large", 100);

  @Test
  void aWorkerWithASmallHeapHandlesTheLargestJobs() throws Exception {
    byte[] payload = new byte[Job.MAX_PAYLOAD_BYTES];
    new Random(1).nextBytes(payload);
    Jobs jobs = DATABASE.jobs();
    for (int i = 0; i < JOBS; i++) {
      jobs.enqueue(TestJobs.job(Integer.toString(i)).withPayload(payload));
    }
    PGSimpleDataSource database = DATABASE.direct().unwrap(PGSimpleDataSource.class);

    Path log = Files.createTempFile("once-heap-", ".log");
    Process worker =
        new ProcessBuilder(
                List.of(
                    System.getProperty("java.home")
                        + File.separator
                        + "bin"
                        + File.separator
                        + "java",
                    "-Xmx64m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    SmallHeapWorker.class.getName(),
                    String.valueOf(database.getURL()),
                    String.valueOf(database.getUser()),
                    String.valueOf(database.getPassword()),
                    Integer.toString(JOBS)))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean hasEnded = worker.waitFor(60 + JOBS / 2, TimeUnit.SECONDS);
    worker.destroyForcibly();
    String output = Files.readString(log);
    Files.delete(log);

    assertThat(hasEnded).as(output).isTrue();
    assertThat(output).contains("completed all").doesNotContain("OutOfMemoryError");
    assertThat(DATABASE.query("SELECT DISTINCT attempt FROM once_job_done")).containsExactly("1");
  }
}
