package dev.once.cli;

import picocli.CommandLine.Command;

/** {@code ./once runs} without a command of its own. */
@Command(name = "runs")
final class RunsCommand implements Runnable {

  @Override
  public void run() {
    throw new Misuse("name a command: list, show, cancel, resume, fork or check");
  }
}
