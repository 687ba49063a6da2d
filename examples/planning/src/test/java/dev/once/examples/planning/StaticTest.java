package dev.once.examples.planning;

import org.junit.jupiter.api.Test;

class StaticTest {
  @Test
  void isThereForBenchmarksAlone() {
    PlanningServer.shared().planner().get("/v1/static").expect(404);
  }
}
