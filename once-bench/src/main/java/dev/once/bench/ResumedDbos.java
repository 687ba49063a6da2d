package dev.once.bench;

import java.util.List;

/**
 * DBOS' recovery: a new process resumes the workflows of an earlier one with its name. The earlier
 * one is in this JVM and blocks for ever, which looks the same in the database.
 */
final class ResumedDbos implements ResumedSteps {
  private final BenchDatabase database;
  private Dbos earlier;

  ResumedDbos(BenchDatabase database) {
    this.database = database;
    this.earlier = Dbos.launch(database, Life.NONE);
  }

  @Override
  public String name() {
    return "DBOS, runStep";
  }

  @Override
  public void leave(List<String> workflows, Life first) throws InterruptedException {
    earlier.close(); // Its earlier workflows are done. It may have few threads, all blocked.
    earlier = Dbos.launch(database, first);
    workflows.forEach(earlier::beginInterrupted);
    first.awaitAllThere();
  }

  @Override
  public void resume(List<String> workflows, Life second) throws Exception {
    try (Dbos later = Dbos.launch(database, second)) {
      second.awaitAllThere();
      for (String workflow : workflows) {
        later.resultOf(workflow);
      }
    }
  }

  @Override
  public String firstTextOf(String workflow) throws Exception {
    return earlier.resultOf(workflow);
  }

  @Override
  public int stepsOf(String workflow) {
    return earlier.stepsOf(workflow);
  }

  @Override
  public void close() {
    earlier.close();
  }
}
