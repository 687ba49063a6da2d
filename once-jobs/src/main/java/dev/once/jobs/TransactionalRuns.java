package dev.once.jobs;

import dev.once.jobs.CompleteStatement.Finished;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs handlers whose writes and the completion of their jobs are one transaction. */
record TransactionalRuns(Workplace place, Runs.Failed failed) {
  void run(List<Hold> holds, Handler.Transactional handler) {
    if (holds.size() > 1 && runTogether(holds, handler)) {
      return;
    }
    holds.forEach(hold -> runAlone(hold, handler));
  }

  /**
   * Returns false if everything was undone, or nobody knows. Then each runs again by itself; those
   * that were committed after all are found to be somebody else's, and undone a second time.
   */
  private boolean runTogether(List<Hold> holds, Handler.Transactional handler) {
    try {
      execute(holds, handler);
      return true;
    } catch (Throwable e) { // Whose fault it was will show.
      Thread.interrupted();
      return false;
    }
  }

  private void runAlone(Hold hold, Handler.Transactional handler) {
    try {
      execute(List.of(hold), handler);
    } catch (LostException e) {
      place.endings().lost(hold);
    } catch (Throwable e) {
      failed.accept(hold, handler.retries(), e);
    }
  }

  private void execute(List<Hold> holds, Handler.Transactional handler) throws Exception {
    List<Duration> took = new ArrayList<>();
    boolean hasFollower =
        place
            .transactions()
            .execute(
                connection -> {
                  for (Hold hold : holds) {
                    took.add(call(handler, hold, connection));
                  }
                  return complete(holds, connection);
                });
    for (int i = 0; i < holds.size(); i++) {
      place.endings().completed(holds.get(i), took.get(i));
    }
    if (hasFollower) {
      holds.get(0).runner().wake();
    }
  }

  private static Duration call(Handler.Transactional handler, Hold hold, Connection connection)
      throws Exception {
    long started = System.nanoTime();
    hold.begin();
    try {
      handler.work().run(new JobRun(hold), connection);
    } finally {
      hold.end();
    }
    if (hold.isLost()) {
      throw new LostException();
    }
    return Duration.ofNanos(System.nanoTime() - started);
  }

  private boolean complete(List<Hold> holds, Connection connection) throws SQLException {
    holds.forEach(Hold::settle);
    List<ClaimedJob> jobs = holds.stream().map(Hold::job).toList();
    Finished finished = CompleteStatement.execute(connection, jobs, place.retention());
    if (finished.ids().size() < jobs.size()) {
      throw new LostException();
    }
    return finished.hasFollower();
  }
}
