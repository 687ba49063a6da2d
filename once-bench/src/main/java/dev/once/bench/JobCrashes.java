package dev.once.bench;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * Kills and restarts the process that works off a backlog several times, and then counts the jobs
 * that left no row and those that left more than one.
 */
record JobCrashes(Session session, JobBacklog backlog, JobQueues queues) {
  Table run() throws Exception {
    Table table =
        new Table(
            "The worker's process is killed (SIGKILL) and started again",
            "contestant | jobs | kills | lost | done twice or more | s until the last was done"
                + " | a dead worker's jobs run again");
    for (JobQueue queue : queues.all()) {
      if (!queue.equals(queues.jobRunrMany())) { // It would lose the same jobs as with few workers.
        crash(table, queue);
      }
    }
    return table;
  }

  private void crash(Table table, JobQueue queue) throws Exception {
    int kills = session.settings().kills();
    session.say("jobs, %d kills: %s".formatted(kills, queue.name()));
    backlog.fill(queue);
    for (int kill = 0; kill < kills; kill++) {
      try (JavaProcess worker = start(queue)) {
        // Leaves jobs for the last process, too.
        int runs = 1 + new Random().nextInt(backlog.jobs() / (kills + 1));
        long wanted = backlog.rows().begun() + runs;
        worker.await(JobBacklog.PATIENCE, () -> backlog.rows().begun() >= wanted);
      }
    }
    long begin = System.nanoTime();
    JavaProcess last = start(queue);
    try (last) {
      JobBacklog.awaitFinished(queue);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    long lost = backlog.jobs() - backlog.rows().ids();
    long repeated = backlog.rows().repeated();
    table.row(queue.name(), backlog.jobs(), kills, lost, repeated, seconds, queue.takeOver());
    if (queue instanceof OnceJobQueue) {
      table.add(Finding.none(queue.name() + ", jobs lost by kills", lost));
      if (!queue.equals(queues.onceLeased())) {
        // An effect outside the database is promised at least once, with its key and fence.
        table.add(Finding.none(queue.name() + ", jobs done twice by kills", repeated));
      }
    }
  }

  private JavaProcess start(JobQueue queue) throws IOException {
    return JavaProcess.start(
        JobCrashes.class,
        new ServerAddresses(backlog.database().source(), ""),
        List.of(
            Integer.toString(queues.all().indexOf(queue)),
            Integer.toString(session.settings().connections())));
  }

  /** Works for a queue until the process is killed. */
  public static void main(String[] arguments) throws InterruptedException {
    int threads = Integer.parseInt(arguments[1]);
    BenchDatabase database = new BenchDatabase(ServerAddresses.ofEnvironment().database(), threads);
    JobQueue queue = JobQueues.over(database, threads).all().get(Integer.parseInt(arguments[0]));
    JobQueue.Workers workers = queue.start(new RunRows(database));
    try (workers) {
      new CountDownLatch(1).await();
    }
  }
}
