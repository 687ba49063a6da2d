package dev.once.cli;

import picocli.CommandLine.Command;

/** {@code ./once jobs} without a command of its own. */
@Command(name = "jobs")
final class JobsCommand implements Runnable {

  @Override
  public void run() {
    throw new Misuse("name a command: list, show, dead, retry, repeat, discard, cancel or run-now");
  }
}
