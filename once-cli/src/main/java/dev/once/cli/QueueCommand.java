package dev.once.cli;

import picocli.CommandLine.Command;

/** {@code ./once queue} without a command of its own. */
@Command(name = "queue")
final class QueueCommand implements Runnable {

  @Override
  public void run() {
    throw new Misuse("name a command: list, show, run, retry, repeat, edit or drop");
  }
}
