package dev.once.bench;

import java.io.Closeable;
import java.util.List;

/** A way to go on with workflows that a process has left in the middle. */
interface ResumedSteps extends Closeable {
  String name();

  /** Runs the first steps of workflows that nobody has run. */
  void leave(List<String> workflows, Life first) throws Exception;

  /** Runs them again, all at once; returns when all are done. */
  void resume(List<String> workflows, Life second) throws Exception;

  /** What the workflow, which is done, got from its first step. */
  String firstTextOf(String workflow) throws Exception;

  /** How many steps of the workflow are on record. */
  int stepsOf(String workflow) throws Exception;

  @Override
  void close();
}
