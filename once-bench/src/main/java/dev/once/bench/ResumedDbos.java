package dev.once.bench;

import java.util.List;

/**
 * DBOS' recovery: a process that starts goes on with what the earlier one with its name has left.
 * The earlier one is in this JVM and stands still for ever, which looks the same in the database.
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
    earlier
        .close(); // What it has left before is done. Its threads may be few, and all stand still.
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
