package dev.once.bench;

import java.io.Closeable;
import java.util.List;

/** A way to resume workflows that a process has left unfinished. */
interface ResumedSteps extends Closeable {
  String name();

  /** Runs the first steps of new workflows. */
  void leave(List<String> workflows, Life first) throws Exception;

  /** Runs them again, all concurrently; returns when all are done. */
  void resume(List<String> workflows, Life second) throws Exception;

  /** Returns the result of the first step that the completed workflow got. */
  String firstTextOf(String workflow) throws Exception;

  /** Returns the number of recorded steps of the workflow. */
  int stepsOf(String workflow) throws Exception;

  @Override
  void close();
}
