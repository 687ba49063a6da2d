package dev.once.cli;

import java.util.List;

/** What is done to a page of events. */
@FunctionalInterface
interface RedriveStep {
  void run(List<RedriveTarget> page) throws InterruptedException;
}
