package dev.once.bench;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * Kills and restarts the process that works off a backlog several times, and then counts the jobs
 * that left no row and those that left more than one.
 */
record JobCrashes(Session session, JobBacklog backlog, QueueContestants queues) {
  Table run() throws Exception {
    Table table =
        new Table(
            "The worker's process is killed (SIGKILL) and started again",
            "contestant | jobs | kills | lost | done twice or more | s until the last was done"
                + " | a dead worker's jobs run again");
    for (Contestant<JobQueue> it : queues.all()) {
      if (!it.equals(queues.jobRunrMany())) { // It would lose the same jobs as with few workers.
        crash(table, it);
      }
    }
    return table;
  }

  private void crash(Table table, Contestant<JobQueue> contestant) throws Exception {
    String name = contestant.name();
    int kills = session.settings().kills();
    session.say("jobs, %d kills: %s".formatted(kills, name));
    backlog.fill(contestant.work());
    for (int kill = 0; kill < kills; kill++) {
      try (JavaProcess worker = start(contestant)) {
        // Leaves jobs for the last process, too.
        int runs = 1 + new Random().nextInt(backlog.jobs() / (kills + 1));
        long wanted = backlog.rows().begun() + runs;
        worker.await(JobBacklog.PATIENCE, () -> backlog.rows().begun() >= wanted);
      }
    }
    long begin = System.nanoTime();
    try (JavaProcess last = start(contestant)) {
      last.await(JobBacklog.PATIENCE, () -> contestant.work().unfinished() == 0);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    long lost = backlog.jobs() - backlog.rows().ids();
    long repeated = backlog.rows().repeated();
    table.row(name, backlog.jobs(), kills, lost, repeated, seconds, contestant.note());
    if (contestant.isOnce()) {
      table.add(Finding.none(name + ", jobs lost by kills", lost));
      if (!contestant.equals(queues.onceLeased())) {
        // An effect outside the database is promised at least once, with its key and fence.
        table.add(Finding.none(name + ", jobs done twice by kills", repeated));
      }
    }
  }

  private JavaProcess start(Contestant<JobQueue> contestant) throws IOException {
    String index = Integer.toString(queues.all().indexOf(contestant));
    String threads = Integer.toString(session.settings().connections());
    return JavaProcess.start(JobCrashes.class, backlog.database(), List.of(index, threads));
  }

  /** Works for a queue until the process is killed. */
  public static void main(String[] arguments) throws Exception {
    int threads = Integer.parseInt(arguments[1]);
    BenchDatabase database = BenchDatabase.ofEnvironment(threads);
    QueueContestants queues = QueueContestants.over(database, threads);
    JobQueue queue = queues.all().get(Integer.parseInt(arguments[0])).work();
    Closeable workers = queue.start(new RunRows(database));
    try (workers) {
      new CountDownLatch(1).await();
    }
  }
}
