package dev.once.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * DBOS' recovery: a process that starts goes on with what the earlier one with its name has left.
 * The earlier one is in this JVM and stands still for ever, which looks the same in the database.
 */
final class ResumedDbos implements ResumedSteps {
  private final BenchDatabase database;
  private final List<Dbos> gone = new ArrayList<>();

  ResumedDbos(BenchDatabase database) {
    this.database = database;
  }

  @Override
  public String name() {
    return "DBOS, runStep";
  }

  @Override
  public void leave(List<String> workflows, Life first) throws InterruptedException {
    Dbos earlier = Dbos.launch(database, first);
    gone.add(earlier);
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
    try (Dbos dbos = Dbos.launch(database, Life.second(0, ""))) {
      return dbos.resultOf(workflow);
    }
  }

  @Override
  public int stepsOf(String workflow) {
    try (Dbos dbos = Dbos.launch(database, Life.second(0, ""))) {
      return dbos.stepsOf(workflow);
    }
  }

  @Override
  public void close() {
    gone.forEach(Dbos::close);
  }
}
