package dev.once.cli;

import dev.once.spi.Purge;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once purge}: removes expired records, in batches, until none is left. */
@Command(name = "purge")
final class PurgeCommand implements Callable<Integer> {
  private static final int DEFAULT_BATCH = 1000;

  private final Session session;

  @Mixin private final RecordDatabase database = new RecordDatabase();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--tenant")
  private @Nullable String tenant;

  @Option(names = "--batch")
  private int batch = DEFAULT_BATCH;

  PurgeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    Purge purge = purge();
    try (OpenRecords opened = database.open(session);
        ProgressLine progress = new ProgressLine(session)) {
      long total = 0;
      int removed;
      do {
        long start = System.nanoTime();
        removed = opened.store().purge(purge);
        total += removed;
        progress.set("removed=" + total);
        pause(System.nanoTime() - start);
      } while (removed > 0);
      long all = total;
      output.print(session, () -> "removed=" + all, () -> new JsonLine().put("removed", all));
      return 0;
    }
  }

  private Purge purge() {
    try {
      return tenant == null ? Purge.ofEveryTenant(batch) : Purge.of(tenant, batch);
    } catch (IllegalArgumentException e) {
      throw new Misuse("--batch: " + CommandException.reason(e));
    }
  }

  /** Leaves half of the time to others; an interrupt ends the command between two batches. */
  private static void pause(long nanos) throws InterruptedException {
    Thread.sleep(TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
