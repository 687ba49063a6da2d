package dev.once.cli;

import dev.once.StoreException;
import dev.once.jdbc.RecordCensus;
import dev.once.jdbc.StateCounts;
import dev.once.jobs.JobCensus;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.spi.State;
import java.time.Duration;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once stats}: counts records by state, and jobs by queue and state. */
@Command(name = "stats")
final class StatsCommand implements Callable<Integer> {
  private static final int DEFAULT_ROWS = 100_000;

  private final Session session;

  @Mixin private final RecordDatabase database = new RecordDatabase();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--tenant")
  private @Nullable String tenant;

  @Option(names = "--rows")
  private int rows = DEFAULT_ROWS;

  StatsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (rows < 1 || rows > StateCounts.MAX_ROWS) {
      throw new Misuse("--rows must be 1 to %d, got %d".formatted(StateCounts.MAX_ROWS, rows));
    }
    try (OpenRecords opened = database.open(session)) {
      if (tenant == null) {
        print(opened.store().census());
        print(opened.store().stateCounts(rows));
        printJobs(opened.pool());
      } else {
        print(opened.store().stateCounts(tenant, rows));
      }
      return 0;
    }
  }

  private void print(RecordCensus it) {
    output.print(
        session,
        () -> "records entries=%d stale=%d".formatted(it.entries(), it.stale()),
        () -> new JsonLine().put("entries", it.entries()).put("stale", it.stale()));
  }

  private void print(StateCounts it) {
    output.print(session, () -> text(it), () -> json(it));
    if (!it.isComplete()) {
      session.note("there are more records than were counted: raise --rows, up to 10000000");
    }
  }

  private static String text(StateCounts it) {
    StringBuilder line = new StringBuilder("states");
    for (State state : State.values()) {
      line.append(' ').append(state.word()).append('=').append(it.counts().get(state));
    }
    return line.append(" expired=" + it.expired())
        .append(" counted-all=" + it.isComplete())
        .append(" oldest-unfinished=")
        .append(it.oldestUnfinished().map(Duration::toString).orElse("-"))
        .toString();
  }

  private static JsonLine json(StateCounts it) {
    JsonLine line = new JsonLine();
    for (State state : State.values()) {
      line.put(state.word(), it.counts().getOrDefault(state, 0L));
    }
    line.put("expired", it.expired()).put("counted_all", it.isComplete());
    it.oldestUnfinished().ifPresent(age -> line.put("oldest_unfinished_ms", age.toMillis()));
    return line;
  }

  private void printJobs(DataSource pool) {
    try {
      JobsSchema.check(pool);
    } catch (StoreException e) {
      return; // A database without jobs.
    }
    try (Jobs jobs = Jobs.over(pool)) {
      jobs.census().queues().forEach(this::print);
    }
  }

  private void print(JobCensus.QueueCounts it) {
    output.print(
        session,
        () ->
            "queue=%s ready=%d waiting=%d blocked=%d running=%d dead=%d oldest-ready=%s"
                .formatted(
                    it.queue(),
                    it.ready(),
                    it.waiting(),
                    it.blocked(),
                    it.running(),
                    it.dead(),
                    it.oldestReady().map(Duration::toString).orElse("-")),
        () -> {
          JsonLine line =
              new JsonLine()
                  .put("queue", it.queue())
                  .put("ready", it.ready())
                  .put("waiting", it.waiting())
                  .put("blocked", it.blocked())
                  .put("running", it.running())
                  .put("dead", it.dead());
          it.oldestReady().ifPresent(age -> line.put("oldest_ready_ms", age.toMillis()));
          return line;
        });
  }
}
